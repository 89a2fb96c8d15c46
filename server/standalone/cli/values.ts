/** Parsers of option values. Each throws an InvalidArgumentError that says what is allowed. */
import { InvalidArgumentError } from 'commander';
import { parseAttribute, type NodeAttribute } from '../../../common/experiment/node-attribute';
import { BYTES_FORM, parseBytes } from '../../../common/units/bytes';
import { DURATION_FORM, parseDuration } from '../../../common/units/duration';
import { parseTime, TIME_FORM } from '../../../common/units/time';

/** Adds a value of a repeatable option to its earlier values. Returns a new list. */
export const collect = (value: string, all: string[]): string[] => [...all, value];

/**
 * Returns a parser that adds a file name to the earlier file names of a repeatable option. `check`: throws if a file name has a wrong
 * ending.
 */
export const filesWith =
  (check: (file: string) => unknown) =>
  (value: string, all: string[]): string[] => {
    check(value);
    return [...all, value];
  };

export const wholeNumber = (value: string): number => {
  if (!/^\d+$/.test(value) || Number(value) < 1) throw new InvalidArgumentError('a whole number from 1');
  return Number(value);
};

export const numberOrZero = (value: string): number => (value === '0' ? 0 : wholeNumber(value));

export const keptFrom = (value: string): number => {
  const found = wholeNumber(value);
  if (found < 2 || found > 999) throw new InvalidArgumentError('a whole number from 2 to 999');
  return found;
};

/** Parses a rate. Accepts thousands separators, as in 50_000 and 50,000. Returns a rate per second. */
export const ratePerSecond = (value: string): number => {
  const rate = Number(value.replaceAll(/[_,](?=\d{3})/g, ''));
  if (!(rate > 0) || !Number.isFinite(rate)) throw new InvalidArgumentError('a number above 0');
  return rate;
};

export const positiveNumber = (value: string): number => {
  if (!/^\d+(\.\d+)?$/.test(value)) throw new InvalidArgumentError('a number from 0');
  return Number(value);
};

export const share = (value: string): number => {
  const found = positiveNumber(value);
  if (found > 1) throw new InvalidArgumentError('a share from 0 to 1');
  return found;
};

/** Parses a share above 0 and up to 1, written as `5%` or `0.05`. Returns a fraction, such as 0.05. */
export const percentage = (value: string): number => {
  const [, number, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(value.trim()) ?? [];
  const found = Number(number) / (percent === '%' ? 100 : 1);
  if (!(found > 0 && found <= 1)) throw new InvalidArgumentError('a share above 0, such as 5% or 0.05');
  return found;
};

/** Parses a size in bytes, such as `5mb`. Returns bytes. */
export const size = (value: string): number => {
  const bytes = parseBytes(value);
  if (bytes === undefined || bytes < 1) throw new InvalidArgumentError(BYTES_FORM);
  return bytes;
};

/** Parses a duration above 0, such as `500ms` or `5m`. Returns milliseconds. */
export const time = (value: string): number => {
  const ms = parseDuration(value);
  if (ms === undefined || ms <= 0) throw new InvalidArgumentError(DURATION_FORM);
  return ms;
};

/** Splits a list that is separated by commas. */
export const names = (written: string): string[] =>
  written
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

export const portNumber = (value: string): number => {
  const port = wholeNumber(value);
  if (port > 65_535) throw new InvalidArgumentError('a port from 1 to 65535');
  return port;
};

/** Parses a port to listen on. 0 means any free port. */
export const listeningPort = (value: string): number => (value === '0' ? 0 : portNumber(value));

/** Parses the address to listen on. An IPv6 address needs brackets. Port 0 means any free port. */
export const listeningAddress = (value: string): { host: string; port: number } => {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(value.trim()) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || port === undefined)
    throw new InvalidArgumentError('HOST:PORT, such as 127.0.0.1:9201, 0.0.0.0:9201 or [::1]:9201');
  return { host, port: listeningPort(port) };
};

export const nodeAttribute = (written: string): NodeAttribute => {
  const attribute = parseAttribute(written);
  if (attribute === undefined) throw new InvalidArgumentError('a name and values, such as zone=a,b');
  return attribute;
};

export const machineLabel = (written: string, all: string[]): string[] => {
  if (!/^[\w.-]+=.+$/.test(written)) throw new InvalidArgumentError('a name and a value, such as zone=a');
  return [...all, written];
};

/** Parses a day or a time. Returns ISO 8601 in UTC. For a day, returns the start of the day. */
export const moment = (written: string): string => {
  const ms = parseTime(written);
  if (Number.isNaN(ms)) throw new InvalidArgumentError(TIME_FORM);
  return new Date(ms).toISOString();
};
