/**
 * Reads and writes results files. Such a file contains results that are not in the results cluster. They could not be stored, or would have
 * replaced results of another process. `dyno results import` stores the results of such a file if they are still valid.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { RUN_FILE_ENDING } from '../../common/api/run-files';
import { inputError } from '../../common/problem';
import { PROFILES, RUNS, runIdOf, SAMPLES, TRIALS, type StoredDocument } from './stored';
import { writeWhole } from '../whole-file';

const FORMAT = 'dyno-results';
const VERSION = 1;
/** Ending of the names of results files. */
export const RESULTS_FILE = '.results.ndjson';

const first = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  /** Time at which the file was written, in ISO 8601 and UTC. */
  made: z.string(),
  /** Reason why the file was written, as a text for users. */
  why: z.string(),
  documents: z.number().int().nonnegative(),
});

const carrier = z.object({ host: z.string(), pid: z.number(), instance: z.string() });

const document = z.object({
  index: z.string().regex(new RegExp(`^(${[RUNS, TRIALS, SAMPLES, PROFILES].join('|')})-[0-9.]+$`)),
  id: z.string().min(1),
  version: z.number().int().positive().optional(),
  source: z.looseObject({ run: z.looseObject({ id: z.string().min(1) }) }),
  by: carrier.optional(),
  known: z.literal(true).optional(),
});

const last = z.object({ sha256: z.string() });

/** Contents of a results file. */
export interface ResultsFile {
  made: string;
  why: string;
  documents: StoredDocument[];
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** Writes a results file with a new name to `folder`. Resolves to the path of the file. Rejects with errors of the file system. */
export async function writeResultsFile(
  folder: string,
  documents: readonly StoredDocument[],
  why: string,
): Promise<string> {
  const made = new Date().toISOString();
  const head = line({ format: FORMAT, version: VERSION, made, why, documents: documents.length });
  const text = head + documents.map(line).join('');
  await mkdir(folder, { recursive: true });
  const runs = [...new Set(documents.map(runIdOf))];
  const name = (runs.length === 1 ? runs[0]! : 'runs').replaceAll(/[^\w-]/g, '_');
  const file = path.join(folder, `${name}-${randomBytes(4).toString('hex')}${RESULTS_FILE}`);
  await writeWhole(file, text + line({ sha256: sha256(text) }));
  return file;
}

function parseLine<T>(schema: z.ZodType<T>, text: string, at: number): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged(at, 'the line is not JSON');
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path: where, message } = parsed.error.issues[0]!;
  throw damaged(at, `${where.join('.')}: ${message}`);
}

const damaged = (at: number, why: string): Error =>
  inputError(
    'results.file',
    `line ${at}`,
    `this is not a complete results file: ${why}; nothing was stored`,
    {
      allowed: `a file that Dyno has written (*${RUN_FILE_ENDING}, *${RESULTS_FILE}), unchanged`,
    },
  );

/** Parses the text of a results file. Throws a DynoError `results.file` (input) if the file is incomplete or its format is wrong. */
export function readResultsFile(text: string): ResultsFile {
  const lines = text.split('\n');
  if (lines.pop() !== '') throw damaged(lines.length + 1, 'it is truncated');
  const { made, why, documents: count } = parseLine(first, lines[0] ?? '', 1);
  const body = lines.slice(1, -1);
  const { sha256: expected } = parseLine(last, lines.at(-1) ?? '', lines.length);
  const whole = [lines[0], ...body].map((one) => `${one}\n`).join('');
  if (expected !== sha256(whole)) throw damaged(lines.length, 'the checksum does not match');
  if (body.length !== count)
    throw damaged(1, `it should contain ${count} documents and contains ${body.length}`);
  return { made, why, documents: body.map((text, i) => parseLine(document, text, i + 2)) };
}
