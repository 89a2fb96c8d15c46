/** What a type of Rally's operations becomes. Each is an entry of a list in one of the files beside this one; registry.ts joins them. */
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
    /** Documents that are read of it, all times together. */
    count: number;
    /** How often it is read: corpora may share a file. */
    times: number;
    target: string;
    isDataStream: boolean;
  }[];
  bulkSize: number;
  /** Of the documents of all files; 100 is all. */
  percentage: number;
  pipeline?: string;
  /** Beside `source`, `bulk` and `pipeline` in a definition's `ingest`. */
  more: Fields;
}

/** The Python code of a track. Dyno itself does not run it. */
export interface Python {
  hasCode: boolean;
  /** Whether the code may change the track when Rally loads it. */
  changesTrack: boolean;
  /** What Rally makes of it; absent if the user has named no Python. */
  expansion?: Expansion;
}

/** Returns what is known of the Python code of a track. */
export function pythonOf(files: TrackFiles, { python }: Benchmark, expansion?: Expansion): Python {
  const code = files
    .glob(python)
    .map((file) => files.read(file))
    .join('\n');
  return { hasCode: code.trim() !== '', changesTrack: /\bregister_track_processor\b/.test(code), expansion };
}

/** A file of values that requests draw: one JSON object per line. */
export interface DrawnData {
  file: string;
  text: string;
  /** Number of lines. */
  values: number;
}

/** What it becomes, or why nothing. */
export type Conversion =
  | {
      /** What Rally sends for it, one after the other. */
      sends: readonly Wire[];
      /** What must hold of the last answer, as definitions write it. */
      expect?: readonly string[];
      /** What its drawn values come from, as definitions write it. */
      parameters?: Fields;
      /** The file from which values are drawn. The importer writes it. */
      data?: DrawnData;
      /** Seconds after which a request is given up. */
      timeout?: number;
      /** What is different though the requests are the same. */
      notes?: readonly string[];
    }
  | {
      ingest: Ingest;
      timeout?: number;
      notes?: readonly string[];
      /** Parts of the operation that have no effect in Rally either, such as a name that nothing has. */
      lost?: readonly string[];
    }
  | {
      /** Why not, as the end of a sentence that begins with the name of the operation. */
      left: string;
      /** What of Dyno comes nearest. */
      nearest?: string;
    };

export interface Given {
  task: Task;
  operation: Operation;
  params: Fields;
  track: Track;
  python: Python;
  /** What Rally reports of an operation with a parameter source or a runner of the track. */
  recorded?: ExpandedTask;
}

export type Convert = (given: Given) => Conversion;

/** An operation that says too little, or something else than Rally takes. */
export class Unfit extends Error {}

const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** A text that has to be there. */
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
    throw new Unfit(`has a ${key} that is no object`);
  return value as Fields;
}

/** One text or a list of them. */
export const list = (value: unknown): string[] =>
  (Array.isArray(value) ? (value as unknown[]) : value === undefined || value === null ? [] : [value]).map(
    (one) => exactText(one as string | number),
  );

/** Of the client of Rally, not of the query string: statuses that it does not count as errors. */
const IGNORED = 'ignore';

/** Parameters of a query string; lists become texts with commas, as Rally's client sends them. */
export function query(given: unknown, more: Fields = {}): QueryParams {
  const own = given === undefined || given === null ? {} : object(given, 'request-params');
  const all = Object.keys(own).flatMap((key) => (key === IGNORED ? [] : [[key, own[key]] as const]));
  return Object.fromEntries(
    [...all, ...Object.entries(more)].flatMap(([key, value]) => {
      if (value === undefined || value === null) return [];
      const written = Array.isArray(value) ? list(value).join() : value;
      const found = scalar.safeParse(written);
      if (!found.success) throw new Unfit(`has a parameter ${key} that is no text, number or truth value`);
      return [[key, found.data]];
    }),
  );
}

/** Headers of an operation, with its `opaque-id`. */
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

/** Whether Python takes a value for true. */
export const isTrue = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);

/** A number that may be written as a text, because templates make texts. Undefined if it is absent. */
export function numeric(params: Fields, key: string): number | undefined {
  const value = params[key];
  if (value === undefined || value === null) return undefined;
  const number = numberOf(value);
  if (number === undefined) throw new Unfit(`has the ${key} ${showValue(value)}, which is not a number`);
  return number;
}

/** Seconds after which Rally gives a request up. Every operation may have them; 0 means none, as in Python. */
export const timeoutOf = (params: Fields): { timeout?: number } => {
  const seconds = isTrue(params['request-timeout']) ? numeric(params, 'request-timeout') : undefined;
  if (seconds === undefined || seconds === 0) return {};
  if (seconds < 0) throw new Unfit(`has the request-timeout ${seconds}, which is not a number of seconds`);
  return { timeout: seconds };
};

/** A name in a path as Rally's client writes it: commas and `*` stay. */
export const inPath = (name: string): string =>
  encodeURIComponent(name).replaceAll('%2C', ',').replaceAll('%2A', '*');

/** The one index or data stream of a track, unless the operation names another. */
export function target({ indices, dataStreams }: Track, params: Fields): string | undefined {
  const own = indices.length === 1 ? indices[0]!.name : dataStreams.length === 1 ? dataStreams[0] : undefined;
  const named = list(params['index']);
  return named.length > 0 && named[0] !== '' ? named.join() : (optional(params, 'data-stream') ?? own);
}

/** Requests that are sent once each. */
export const sends = (params: Fields, ...wires: Wire[]): Conversion => ({
  sends: wires,
  ...timeoutOf(params),
});
