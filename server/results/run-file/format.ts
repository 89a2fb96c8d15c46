/**
 * Runs with all that is kept of them as one file, to be taken to another results cluster: gzip of NDJSON. A first line says
 * what it is and names the runs, a document stands on each line, the document of a run behind all others of it, and a last
 * line counts them with their checksum, so that a file that was cut off or changed is known for what it is.
 */
import { createHash, type Hash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import * as z from 'zod';
import { RUN_FILE_ENDING } from '../../../common/api/run-files';
import type { RunDocument } from '../../../common/experiment/run';
import type { SampleDocument } from '../../../common/measurement/trial';
import { DynoError, inputError, messageOf } from '../../../common/problem';
import {
  METRICS,
  storedRun,
  storedSample,
  storedTrial,
  trialOf,
  type StoredDocument,
  type StoredTrial,
} from '../stored';
import { TEMPLATES_VERSION } from '../templates';

const FORMAT = 'dyno-runs';
const VERSION = 1;

/** Characters of one line: the document of a run with thousands of trials has some MB. */
const MOST_LINE = 64 * 1024 ** 2;

const id = z.string().min(1).max(200);

const headed = z.object({
  id,
  experiment: z.object({ id, name: z.string() }),
  state: z.string(),
  started: z.string(),
});

const head = z.object({
  format: z.literal(FORMAT),
  version: z.number().int().positive(),
  /** ISO 8601 UTC. */
  made: z.string(),
  /** Version of Dyno that made it. */
  dyno: z.string(),
  /** Of the mappings that its documents fit. */
  templates: z.number().int().positive(),
  runs: z.array(headed).min(1),
});

export type FileHead = z.output<typeof head>;
/** A run as the first line names it. */
export type HeadedRun = z.output<typeof headed>;

const ofRun = z.looseObject({ run: z.looseObject({ id }) });
const mark = z.looseObject({ id });

const KINDS = ['samples', 'metrics', 'trials', 'run'] as const;
export type FileKind = (typeof KINDS)[number];

const body = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('samples'),
    source: ofRun.extend({
      '@timestamp': z.iso.datetime(),
      trial: mark,
      task: z.string(),
      phase: z.string(),
      experiment: mark,
    }),
  }),
  z.object({
    kind: z.literal('metrics'),
    index: z.string().regex(new RegExp(`^${METRICS}-[\\w.]+$`)),
    id,
    source: ofRun,
  }),
  z.object({
    kind: z.literal('trials'),
    source: ofRun.extend({
      trial: mark,
      experiment: mark,
      cell: z.looseObject({ levels: z.record(z.string(), z.unknown()) }),
      times: z.looseObject({ started: z.iso.datetime() }),
    }),
  }),
  z.object({
    kind: z.literal('run'),
    source: ofRun.extend({
      '@timestamp': z.iso.datetime(),
      experiment: mark,
      definition: z.looseObject({}),
      plan: z.looseObject({ cells: z.array(z.unknown()), trials: z.array(z.unknown()) }),
      progress: z.looseObject({}),
      events: z.array(z.unknown()),
    }),
  }),
]);
export type FileDocument = z.output<typeof body>;

/** Of one run. */
const counted = z.object({
  id,
  samples: z.number().int().nonnegative(),
  metrics: z.number().int().nonnegative(),
  trials: z.number().int().nonnegative(),
  /** Of its run, trials and samples, wherever they stand. */
  sha256: z.string(),
});
export type CountedRun = z.output<typeof counted>;

const last = z.object({ runs: z.array(counted), sha256: z.string() });

export const lineOf = (value: unknown): string => `${JSON.stringify(value)}\n`;

export const headLine = (made: string, dyno: string, runs: readonly HeadedRun[]): string =>
  lineOf({
    format: FORMAT,
    version: VERSION,
    made,
    dyno,
    templates: TEMPLATES_VERSION,
    runs: [...runs],
  } satisfies FileHead);

const spaceless = ({ space: _space, ...mark }: { space?: unknown }): object => mark;

/** Kibana's space is a matter of the place. */
const withoutSpace = <T extends { experiment: { space?: unknown } }>(source: T): T => ({
  ...source,
  experiment: spaceless(source.experiment),
});

/** Counts and sums up the documents of one run, in the order of the file. */
export class RunSum {
  private readonly hash: Hash = createHash('sha256');
  private readonly counts: Record<FileKind, number> = { samples: 0, metrics: 0, trials: 0, run: 0 };

  constructor(private readonly id: string) {}

  /** Events of the collector are counted alone: they may still come in, and collectors name them at random. */
  add({ kind, source }: FileDocument): void {
    this.counts[kind] += 1;
    if (kind !== 'metrics')
      this.hash.update(lineOf([kind, withoutSpace(source as unknown as { experiment: object })]));
  }

  get hasRun(): boolean {
    return this.counts.run > 0;
  }

  get sum(): CountedRun {
    const { samples, metrics, trials } = this.counts;
    return { id: this.id, samples, metrics, trials, sha256: this.hash.copy().digest('hex') };
  }
}

/**
 * The document as it is stored in `space` (undefined: where it was), version `version` for what is versioned. Index and id
 * follow from what it says, so that no file replaces documents of a run that it does not name.
 */
export function placed(document: FileDocument, version: number, space: string | undefined): StoredDocument {
  if (document.kind === 'metrics') {
    const { index, id: own, source } = document;
    return { index, id: own, source };
  }
  const source = document.source as unknown as { experiment: { space?: string } };
  const kept = space === undefined ? source : withoutSpace(source);
  if (space !== undefined && space !== 'default') kept.experiment = { ...kept.experiment, space };
  switch (document.kind) {
    case 'samples':
      return storedSample(kept as SampleDocument);
    case 'trials':
      return storedTrial(trialOf(kept as StoredTrial), version);
    case 'run':
      return storedRun(kept as RunDocument, version);
  }
}

const UNCHANGED = `a file that Dyno has written (*${RUN_FILE_ENDING}), unchanged`;

const damaged = (where: string, why: string): DynoError =>
  inputError('results.file', where, `this is no whole file of runs: ${why}`, {
    allowed: UNCHANGED,
  });

/** As it stands there: a schema would put its own keys first, and the sums are of what was written. */
function parseLine<T>(schema: z.ZodType<T>, text: string, at: number): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged(`line ${at}`, 'no JSON stands there');
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return value as T;
  const { path: where, message } = parsed.error.issues[0]!;
  throw damaged(`line ${at}`, `${where.join('.')}: ${message}`);
}

function parseHead(text: string): FileHead {
  let version: unknown;
  try {
    const value = JSON.parse(text) as { format?: unknown; version?: unknown } | null;
    version = value?.format === FORMAT ? value.version : undefined;
  } catch {
    version = undefined;
  }
  if (typeof version === 'number' && version > VERSION) throw newer(`version ${version} of the format`);
  const read = parseLine(head, text, 1);
  if (read.templates > TEMPLATES_VERSION) throw newer(`Dyno ${read.dyno}`);
  return read;
}

const newer = (what: string): DynoError =>
  inputError('results.file-newer', '', `the file was made by a newer version: ${what}`, {
    allowed: 'the same or a newer version of Dyno',
  });

/** Lines without their ends; rejects with a DynoError `results.file` where the stream is no whole gzip of text. */
async function* linesOf(file: AsyncIterable<Buffer>, mostBytes: number): AsyncGenerator<string> {
  const gunzip = createGunzip();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest: string[] = [];
  let length = 0;
  let bytes = 0;
  const feeding = pipeline(file, gunzip);
  // Told by the loop, which it ends.
  feeding.catch(() => undefined);
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw damaged('', `it unpacks to more than ${mostBytes} bytes`);
      const parts = decoder.decode(chunk, { stream: true }).split('\n');
      for (const part of parts.slice(0, -1)) {
        yield [...rest, part].join('');
        rest = [];
        length = 0;
      }
      rest.push(parts.at(-1)!);
      length += parts.at(-1)!.length;
      if (length > MOST_LINE) throw damaged('', `a line is longer than ${MOST_LINE} characters`);
    }
    await feeding;
  } catch (error) {
    if (error instanceof DynoError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof TypeError || code?.startsWith('Z_')) throw damaged('', messageOf(error));
    throw error;
  } finally {
    gunzip.destroy();
  }
  if (rest.join('') !== '') throw damaged('', 'it is cut off');
}

/** Told of a file on the way through it. */
export interface FileReader {
  head(head: FileHead): void;
  document(document: FileDocument): Promise<void> | void;
}

/** Of text, which is some ten times the file: more than a run of a week holds. */
export const MOST_UNPACKED = 64 * 1024 ** 3;

/**
 * Goes through a file once and tells what it holds; resolves to what its last line counts. Rejects with a DynoError (input)
 * `results.file` where it is damaged, at its end at the latest, and `results.file-newer`.
 */
export async function readRunFile(
  file: AsyncIterable<Buffer>,
  reader: FileReader,
  { mostBytes = MOST_UNPACKED }: { mostBytes?: number } = {},
): Promise<CountedRun[]> {
  const hash = createHash('sha256');
  const sums: RunSum[] = [];
  let known: FileHead | undefined;
  let at = 0;
  let end: z.output<typeof last> | undefined;
  for await (const text of linesOf(file, mostBytes)) {
    at += 1;
    if (end) throw damaged(`line ${at}`, 'something stands behind its end');
    if (!known) {
      known = parseHead(text);
      reader.head(known);
    } else if (text.startsWith('{"kind":')) {
      const document = parseLine(body, text, at);
      checkPlace(document, known, sums, at);
      sums.at(-1)!.add(document);
      await reader.document(document);
    } else {
      end = parseLine(last, text, at);
      if (end.sha256 !== hash.digest('hex')) throw damaged(`line ${at}`, 'its checksum is another');
      const found = sums.map(({ sum }) => sum);
      if (JSON.stringify(found) !== JSON.stringify(end.runs) || !sums.every(({ hasRun }) => hasRun))
        throw damaged(`line ${at}`, 'it does not hold the documents that it counts');
      if (known.runs.length !== found.length) throw damaged(`line ${at}`, 'a run that it names is missing');
    }
    if (!end) hash.update(`${text}\n`);
  }
  if (!end) throw damaged(at === 0 ? '' : `line ${at}`, at === 0 ? 'it is empty' : 'it is cut off');
  return end.runs;
}

/** Runs stand one after the other, in the order of the first line; appends to `sums` where the next one begins. */
function checkPlace({ kind, source }: FileDocument, { runs }: FileHead, sums: RunSum[], at: number): void {
  const run = source.run.id;
  if (sums.length === 0 || sums.at(-1)!.hasRun) {
    const next = runs[sums.length]?.id;
    if (next !== undefined) sums.push(new RunSum(next));
    else throw damaged(`line ${at}`, 'it holds a run that it does not name');
  }
  if (sums.at(-1)!.sum.id !== run)
    throw damaged(`line ${at}`, `a document of the run ${run} stands among those of another`);
  if (kind !== 'samples' && kind !== 'trials') return;
  const trial = (source as unknown as { trial: { id: string } }).trial.id;
  if (!trial.startsWith(`${run}-`))
    throw damaged(`line ${at}`, `the trial ${trial} is none of the run ${run}`);
}
