/** Types and helpers for converting Rally's operation types. Each type is an entry in a file of this folder; registry.ts joins them. */
import * as z from 'zod';
import { exactText } from '../../../json/exact';
import { showValue } from '../../../problem';
import type { QueryParams } from '../../../requests/kind';
import type { Benchmark } from '../benchmark';
import type { ExpandedTask, Expansion } from '../expansion';
import { numberOf } from '../number';
import type { TrackFiles } from '../template';
import type { Operation, Task, Track } from '../track';
import type { Wire } from '../wire';

type Fields = Readonly<Record<string, unknown>>;

/** Documents that a bulk sends, as one stream. */
export interface Ingest {
  files: readonly {
    file: string;
    archive: string;
    url?: string;
    /** Number of documents that are read from the stream in total. */
    count: number;
    /** Number of times that the file is read. It may be more than one, because several corpora may contain the same file. */
    times: number;
    target: string;
    isDataStream: boolean;
  }[];
  bulkSize: number;
  /** Percentage of the documents that are sent, in each file. */
  percentage: number;
  pipeline?: string;
  /** Additional keys of the `ingest` task in the definition. */
  more: Fields;
}

/** The Python code of a track. Dyno itself does not run it. */
export interface Python {
  hasCode: boolean;
  /** Whether the code may change the track when Rally loads it. */
  changesTrack: boolean;
  /** Result of executing the code with Rally. Absent if the user has specified no Python interpreter. */
  expansion?: Expansion;
}

/** Finds the Python code of a track. */
export function pythonOf(files: TrackFiles, { python }: Benchmark, expansion?: Expansion): Python {
  const code = files
    .glob(python)
    .map((file) => files.read(file))
    .join('\n');
  return { hasCode: code.trim() !== '', changesTrack: /\bregister_track_processor\b/.test(code), expansion };
}

/** A file with values for requests: one JSON object per line. */
export interface DrawnData {
  file: string;
  text: string;
  /** Number of lines. */
  values: number;
}

/** Result of converting an operation, or the reason why it cannot be converted. */
export type Conversion =
  | {
      /** Requests that Rally sends for the operation, in order. */
      sends: readonly Wire[];
      /** Expectations for the last response, in the form of definitions. */
      expect?: readonly string[];
      /** Sources of the values in the requests, in the form of definitions. */
      parameters?: Fields;
      /** File with the values in the requests. The importer writes this file. */
      data?: DrawnData;
      /** Timeout of a request, in s. */
      timeout?: number;
      /** Differences from Rally other than differences of the requests, which are the same. */
      notes?: readonly string[];
    }
  | {
      ingest: Ingest;
      timeout?: number;
      notes?: readonly string[];
      /** Parts of the operation that have no effect in Rally either, such as an unknown name. */
      lost?: readonly string[];
    }
  | {
      /** Reason why the operation cannot be converted. The text ends a sentence that begins with the name of the operation. */
      left: string;
      /** The part of Dyno that comes closest to the operation. */
      nearest?: string;
    };

export interface Given {
  task: Task;
  operation: Operation;
  params: Fields;
  track: Track;
  python: Python;
  /** Rally's report about an operation with a parameter source or a runner of the track. */
  recorded?: ExpandedTask;
}

export type Convert = (given: Given) => Conversion;

/** Error for an operation that is incomplete or invalid even for Rally. */
export class Unfit extends Error {}

const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** Returns a required text. */
export function mandatory(params: Fields, key: string): string {
  const value = params[key];
  if (typeof value !== 'string' || value === '') throw new Unfit(`has no ${key}`);
  return value;
}

export const optional = (params: Fields, key: string): string | undefined => {
  const value = params[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

export function object(value: unknown, key: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Unfit(`has a ${key} that is not an object`);
  return value as Fields;
}

/** Returns a text or a list of texts as a list. */
export const list = (value: unknown): string[] =>
  (Array.isArray(value) ? (value as unknown[]) : value === undefined || value === null ? [] : [value]).map(
    (one) => exactText(one as string | number),
  );

/**
 * Name of a parameter that belongs to Rally's client and is not sent in the query string. It lists statuses that do not count as errors.
 */
const IGNORED = 'ignore';

/** Returns the parameters of a query string. Like Rally's client, it joins lists with commas. */
export function query(given: unknown, more: Fields = {}): QueryParams {
  const own = given === undefined || given === null ? {} : object(given, 'request-params');
  const all = Object.keys(own).flatMap((key) => (key === IGNORED ? [] : [[key, own[key]] as const]));
  return Object.fromEntries(
    [...all, ...Object.entries(more)].flatMap(([key, value]) => {
      if (value === undefined || value === null) return [];
      const written = Array.isArray(value) ? list(value).join() : value;
      const found = scalar.safeParse(written);
      if (!found.success) throw new Unfit(`has a parameter ${key} that is not a text, number or boolean`);
      return [[key, found.data]];
    }),
  );
}

/** Returns the headers of an operation, including its `opaque-id`. */
export function headers(params: Fields): Record<string, string> {
  const given = Object.entries(
    params['headers'] === undefined || params['headers'] === null ? {} : object(params['headers'], 'headers'),
  );
  const id = optional(params, 'opaque-id');
  return {
    ...Object.fromEntries(given.map(([key, value]) => [key, exactText(value as string | number)])),
    ...(id === undefined ? {} : { 'x-opaque-id': id }),
  };
}

/** Returns whether a value is true in Python. */
export const isTrue = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);

/** Returns a number, which may be a text because templates produce texts. Undefined if it is absent. */
export function numeric(params: Fields, key: string): number | undefined {
  const value = params[key];
  if (value === undefined || value === null) return undefined;
  const number = numberOf(value);
  if (number === undefined) throw new Unfit(`has the ${key} ${showValue(value)}, which is not a number`);
  return number;
}

/** Returns the request timeout of an operation, in s. 0 means no timeout. */
export const timeoutOf = (params: Fields): { timeout?: number } => {
  const seconds = isTrue(params['request-timeout']) ? numeric(params, 'request-timeout') : undefined;
  if (seconds === undefined || seconds === 0) return {};
  if (seconds < 0) throw new Unfit(`has the request-timeout ${seconds}, which is not a number of seconds`);
  return { timeout: seconds };
};

/** Encodes a name for a path like Rally's client, which keeps commas and `*`. */
export const inPath = (name: string): string =>
  encodeURIComponent(name).replaceAll('%2C', ',').replaceAll('%2A', '*');

/** Returns the index or data stream that the operation names, or the only one of the track. */
export function target({ indices, dataStreams }: Track, params: Fields): string | undefined {
  const own = indices.length === 1 ? indices[0]!.name : dataStreams.length === 1 ? dataStreams[0] : undefined;
  const named = list(params['index']);
  return named.length > 0 && named[0] !== ''
    ? named.join()
    : (optional(params, 'data-stream') ?? (own || undefined));
}

/** Returns a conversion to requests. */
export const sends = (params: Fields, ...wires: Wire[]): Conversion => ({
  sends: wires,
  ...timeoutOf(params),
});
