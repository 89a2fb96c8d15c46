/**
 * The lines of a traffic file. Each line is a JSON object:
 *
 * - The header, with the key `dyno-traffic`.
 * - A record, with the keys of `TrafficRecord`. Empty texts and a missing body are left out. `body` is a string if the body is valid UTF-8;
 *   otherwise `bodyBase64` contains the body.
 * - A part of a long body, with the key `part` (from 0). The keys `connection` and `order` are those of the record to which it belongs. The
 *   parts precede this record. The record contains the last piece of the body, and the number of parts (`parts`).
 * - The index, with the key `dyno-traffic-index`.
 */
import { isUtf8 } from 'node:buffer';
import * as z from 'zod';
import { parsePlain, stringifyPlain } from '../../../common/json/exact';
import type { AnswerFacts, TrafficHeader, TrafficRecord } from '../../../common/traffic/record';

/** A part of a long body. It is written before the record to which it belongs, when the rest of the body has not arrived yet. */
export interface BodyPart {
  connection: number;
  order: number;
  /** Position among the parts of the body, from 0. */
  part: number;
  body: Uint8Array;
}

/**
 * Position and content of a block (a gzip member with several records). Positions and sizes are in bytes, and times in µs after the start
 * of the recording.
 */
export interface BlockPlace {
  offset: number;
  bytes: number;
  number: number;
  records: number;
  firstAt: number;
  lastAt: number;
}

export interface TrafficIndex {
  header: TrafficHeader;
  blocks: readonly BlockPlace[];
  /** Number of records that were dropped between the start of the recording and the end of this file. */
  dropped: number;
}

const count = z.int().min(0);

const headerSchema = z.object({
  'dyno-traffic': z.literal(1),
  startedAt: z.number(),
  origin: z.enum(['record', 'har', 'gor', 'audit-log', 'slow-log', 'mask']),
  share: z.number().gt(0).max(1),
  part: z.int().min(1),
  droppedBefore: count,
} satisfies Record<keyof TrafficHeader, z.ZodType>);

const factsSchema = z.object({
  total: z.number().optional(),
  isLowerBound: z.boolean().optional(),
  hits: z.number().optional(),
  items: z.number().optional(),
  failedItems: z.number().optional(),
  found: z.boolean().optional(),
  result: z.string().optional(),
  timedOut: z.boolean().optional(),
  failedShards: z.number().optional(),
  error: z.string().optional(),
  scrollId: z.string().optional(),
  pitId: z.string().optional(),
  generatedIds: z.array(z.string()).optional(),
  versions: z
    .array(z.object({ index: z.string(), id: z.string(), seqNo: z.number(), primaryTerm: z.number() }))
    .optional(),
} satisfies Record<keyof AnswerFacts, z.ZodType>);

const bodyKeys = { body: z.string().optional(), bodyBase64: z.base64().optional() };

const recordSchema = z.object({
  connection: count,
  order: count,
  at: z.number().min(0),
  method: z.string(),
  path: z.string(),
  query: z.string().default(''),
  contentType: z.string().default(''),
  encoding: z.string().optional(),
  ...bodyKeys,
  parts: count.default(0),
  client: z.string().optional(),
  answer: z
    .object({
      status: z.number(),
      durationUs: z.number().nullable(),
      bytes: z.number(),
      facts: z.union([factsSchema, z.null()]).optional(),
    })
    .nullable()
    .default(null),
} satisfies Record<keyof TrafficRecord, z.ZodType> & { parts: z.ZodType });

const partSchema = z.object({ connection: count, order: count, part: count, ...bodyKeys });

const indexSchema = z.object({
  'dyno-traffic-index': z.array(z.tuple([count, count, count, count, count, count])),
  header: headerSchema,
  dropped: count,
});

/**
 * Returns the JSON keys that contain the body in a line: `body` if it is valid UTF-8, otherwise `bodyBase64`. Empty if there is no body.
 */
function bodyMembers(body: Uint8Array | null): { body?: string; bodyBase64?: string } {
  if (body === null) return {};
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return isUtf8(bytes) ? { body: bytes.toString('utf8') } : { bodyBase64: bytes.toString('base64') };
}

const bodyOf = ({ body, bodyBase64 }: { body?: string; bodyBase64?: string }): Uint8Array | null => {
  if (body !== undefined) return Buffer.from(body, 'utf8');
  return bodyBase64 === undefined ? null : Buffer.from(bodyBase64, 'base64');
};

const line = (value: unknown): Buffer => Buffer.from(`${stringifyPlain(value)}\n`, 'utf8');

export const headerLine = (header: TrafficHeader): Buffer => line(header);

/** Returns the line of a record. `parts`: number of parts of its body, which are in earlier lines. */
export function recordLine(record: TrafficRecord, parts = 0): Buffer {
  const { connection, order, at, method, path, query, contentType, encoding, body, client, answer } = record;
  return line({
    ...{ connection, order, at, method, path },
    ...(query === '' ? {} : { query }),
    ...(contentType === '' ? {} : { contentType }),
    ...(encoding === undefined ? {} : { encoding }),
    ...bodyMembers(body),
    ...(parts === 0 ? {} : { parts }),
    ...(client === undefined ? {} : { client }),
    ...(answer === null ? {} : { answer }),
  });
}

export const partLine = ({ body, ...place }: BodyPart): Buffer => line({ ...place, ...bodyMembers(body) });

export const indexLine = ({ header, blocks, dropped }: TrafficIndex): Buffer =>
  line({
    'dyno-traffic-index': blocks.map(({ offset, bytes, number, records, firstAt, lastAt }) => [
      ...[offset, bytes, number, records, firstAt, lastAt],
    ]),
    header,
    dropped,
  });

/** Parses the header of a traffic file. Returns null if the line is not the header of a traffic file of this version. */
export function readHeaderLine(text: string): TrafficHeader | null {
  return headerSchema.safeParse(parsed(text)).data ?? null;
}

export function readIndexLine(text: string): TrafficIndex | null {
  const index = indexSchema.safeParse(parsed(text)).data;
  if (index === undefined) return null;
  const { 'dyno-traffic-index': places, header, dropped } = index;
  return {
    ...{ header, dropped },
    blocks: places.map(([offset, bytes, number, records, firstAt, lastAt]) => ({
      ...{ offset, bytes, number, records, firstAt, lastAt },
    })),
  };
}

export type BlockLine =
  | { as: 'record'; record: TrafficRecord; parts: number }
  | { as: 'part'; part: BodyPart }
  | { as: 'malformed'; why: string };

/** Parses a line of a block: a record, or a part of a long body. */
export function readBlockLine(text: string): BlockLine {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null) return { as: 'malformed', why: 'it is not a JSON object' };
  if ('part' in value) {
    const { data: part, error } = partSchema.safeParse(value);
    if (part === undefined) return { as: 'malformed', why: whyNot(error) };
    const { connection, order, part: number } = part;
    return {
      as: 'part',
      part: { connection, order, part: number, body: bodyOf(part) ?? new Uint8Array() },
    };
  }
  const { data, error } = recordSchema.safeParse(value);
  if (data === undefined) return { as: 'malformed', why: whyNot(error) };
  const { bodyBase64, parts, ...record } = data;
  return { as: 'record', record: { ...record, body: bodyOf({ body: record.body, bodyBase64 }) }, parts };
}

function whyNot(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? 'it is malformed' : `${issue.path.join('.')}: ${issue.message}`;
}

function parsed(text: string): unknown {
  try {
    return parsePlain(text);
  } catch {
    return undefined;
  }
}

/** Returns how many bytes at the end are the beginning of an incomplete UTF-8 character, from 0 to 3. */
export function cutCharacterBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > back ? back : 0;
  }
  return 0;
}
