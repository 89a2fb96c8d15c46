/**
 * Types and functions that the conversions of all operations use. Each type of operation has an entry in a file of this folder, and
 * registry.ts combines these entries.
 */
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

/** Documents that a bulk operation sends. If there are several files, they are read one after the other, as one sequence of documents. */
export interface Ingest {
  files: readonly {
    file: string;
    archive: string;
    url?: string;
    /** Number of documents that are read from this file. */
    count: number;
    /** Number of times that the file is read. It is more than 1 if several corpora of the track contain the same file. */
    times: number;
    target: string;
    isDataStream: boolean;
  }[];
  bulkSize: number;
  /** Percentage of the documents of each file that are sent. */
  percentage: number;
  pipeline?: string;
  /** Additional keys of the `ingest` task in the definition. */
  more: Fields;
}

/** The Python code of a track. Dyno does not execute this code itself. */
export interface Python {
  hasCode: boolean;
  /** Whether the code may change the track while Rally loads it. */
  changesTrack: boolean;
  /** Output of Rally's execution of the code. Absent if the user named no Python interpreter with Rally. */
  expansion?: Expansion;
}

/**
 * Returns facts about the Python code of a track: whether there is any, and whether it may change the track. `expansion`: output of Rally's
 * execution of the code, if available.
 */
export function pythonOf(files: TrackFiles, { python }: Benchmark, expansion?: Expansion): Python {
  const code = files
    .glob(python)
    .map((file) => files.read(file))
    .join('\n');
  return { hasCode: code.trim() !== '', changesTrack: /\bregister_track_processor\b/.test(code), expansion };
}

/**
 * A file with values for parameters of requests, which the importer writes. Each line is a JSON object with one value for each parameter.
 */
export interface DrawnData {
  file: string;
  text: string;
  /** Number of lines. */
  values: number;
}

/** Result of converting an operation: requests, documents, or the reason why the operation is left out. */
export type Conversion =
  | {
      /** Requests that Rally sends for the operation, in this order. */
      sends: readonly Wire[];
      /** Conditions on the last response, in the format of `expect` in definitions. */
      expect?: readonly string[];
      /** Parameters of the requests, in the format of definitions. */
      parameters?: Fields;
      /** File with the values of the parameters. The importer writes this file. */
      data?: DrawnData;
      /** Timeout of a request, in s. */
      timeout?: number;
      /**
       * Differences between the definition and Rally, as sentences. The content of the requests is the same; the differences are in their
       * timing, for example.
       */
      notes?: readonly string[];
    }
  | {
      ingest: Ingest;
      timeout?: number;
      notes?: readonly string[];
      /**
       * Sentences about parts of the operation that have no effect, such as a name that the track does not contain. Rally ignores these
       * parts too.
       */
      lost?: readonly string[];
    }
  | {
      /** Reason why the operation is left out. It is the end of a sentence that begins with the name of the operation. */
      left: string;
      /** The feature of Dyno that is most similar to the operation. */
      nearest?: string;
    };

export interface Given {
  task: Task;
  operation: Operation;
  params: Fields;
  track: Track;
  python: Python;
  /** Requests that Rally reported for an operation that uses Python code of the track. */
  recorded?: ExpandedTask;
}

export type Convert = (given: Given) => Conversion;

/** Error for an operation that is incomplete or invalid. Rally refuses such operations too. */
export class Unfit extends Error {}

const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** Returns the text of a required key. Throws if it is missing. */
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

/** Returns a list as texts. One value becomes a list with one text; a missing value becomes an empty list. */
export const list = (value: unknown): string[] =>
  (Array.isArray(value) ? (value as unknown[]) : value === undefined || value === null ? [] : [value]).map(
    (one) => exactText(one as string | number),
  );

/**
 * Name of a parameter that lists status codes which do not count as errors. Rally's client uses this parameter itself, and does not send it
 * to the cluster.
 */
const IGNORED = 'ignore';

/**
 * Returns the parameters of a query string. Like Rally's client, joins the items of a list with commas. `given`: parameters of the
 * operation. `more`: further parameters.
 */
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

/** Returns the headers of a request. They include the operation's `opaque-id`, if it has one. */
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

/** Returns the number of a key. The value may be a text, because templates produce texts. Returns undefined if the key is missing. */
export function numeric(params: Fields, key: string): number | undefined {
  const value = params[key];
  if (value === undefined || value === null) return undefined;
  const number = numberOf(value);
  if (number === undefined) throw new Unfit(`has the ${key} ${showValue(value)}, which is not a number`);
  return number;
}

/**
 * Returns an object with the timeout of the operation's requests, in s. The object is empty if the operation has no timeout, or a timeout
 * of 0.
 */
export const timeoutOf = (params: Fields): { timeout?: number } => {
  const seconds = isTrue(params['request-timeout']) ? numeric(params, 'request-timeout') : undefined;
  if (seconds === undefined || seconds === 0) return {};
  if (seconds < 0) throw new Unfit(`has the request-timeout ${seconds}, which is not a number of seconds`);
  return { timeout: seconds };
};

/** Encodes a name for a path. Like Rally's client, does not encode commas and `*`. */
export const inPath = (name: string): string =>
  encodeURIComponent(name).replaceAll('%2C', ',').replaceAll('%2A', '*');

/**
 * Returns the index or data stream that the operation names. If it names none, returns the index or data stream of the track, if there is
 * only one.
 */
export function target({ indices, dataStreams }: Track, params: Fields): string | undefined {
  const own = indices.length === 1 ? indices[0]!.name : dataStreams.length === 1 ? dataStreams[0] : undefined;
  const named = list(params['index']);
  return named.length > 0 && named[0] !== ''
    ? named.join()
    : (optional(params, 'data-stream') ?? (own || undefined));
}

/**
 * Returns the conversion of an operation to the requests `wires`. `params`: parameters of the operation, from which the timeout is read.
 */
export const sends = (params: Fields, ...wires: Wire[]): Conversion => ({
  sends: wires,
  ...timeoutOf(params),
});
