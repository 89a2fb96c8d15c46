/**
 * Format of a file that moves runs with all their documents to another results cluster: NDJSON, compressed with gzip. The first line
 * contains the name of the format and lists the runs. Each further line is a document. The document of a run comes after all other
 * documents of the run. The last line contains counts and checksums, which show whether a file was truncated or changed.
 */
import { createHash, type Hash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import * as z from 'zod';
import { RUN_FILE_ENDING } from '../../../common/api/run-files';
import type { RunDocument } from '../../../common/experiment/run';
import type { ProfileDocument } from '../../../common/measurement/profile-document';
import { PROFILE_EVENTS } from '../../../common/profile/events';
import type { SampleDocument } from '../../../common/measurement/trial';
import { DynoError, inputError, messageOf } from '../../../common/problem';
import {
  METRICS,
  storedProfile,
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

/** Maximum length of a line in characters. The line with the document of a run with thousands of trials has a few million characters. */
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
  /** Time at which the file was written, in ISO 8601 and UTC. */
  made: z.string(),
  /** Version of Dyno that wrote the file. */
  dyno: z.string(),
  /** Version of the index templates with which the documents were stored. */
  templates: z.number().int().positive(),
  runs: z.array(headed).min(1),
});

export type FileHead = z.output<typeof head>;
/** A run in the list that the first line of the file contains. */
export type HeadedRun = z.output<typeof headed>;

const ofRun = z.looseObject({ run: z.looseObject({ id }) });
const mark = z.looseObject({ id });

const KINDS = ['samples', 'metrics', 'profiles', 'trials', 'run'] as const;
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
    kind: z.literal('profiles'),
    source: ofRun.extend({
      '@timestamp': z.iso.datetime(),
      trial: mark,
      experiment: mark,
      event: z.enum(PROFILE_EVENTS),
      stacks: z.string(),
    }),
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

/** Numbers of documents of one run, and their checksum. */
const counted = z.object({
  id,
  samples: z.number().int().nonnegative(),
  metrics: z.number().int().nonnegative(),
  trials: z.number().int().nonnegative(),
  /** Absent in files of older versions, and if the run has no profiles. */
  profiles: z.number().int().positive().optional(),
  /**
   * Checksum of the run, its trials, samples and profiles, in hexadecimal. It does not depend on the cluster, the index or the Kibana space in
   * which they are stored.
   */
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

/** Returns a document without its Kibana space. The file may be imported into another space. */
const withoutSpace = <T extends { experiment: { space?: unknown } }>(source: T): T => ({
  ...source,
  experiment: spaceless(source.experiment),
});

/** Counts the documents of one run and calculates its checksum. The documents must be added in the order of the file. */
export class RunSum {
  private readonly hash: Hash = createHash('sha256');
  private readonly counts: Record<FileKind, number> = {
    samples: 0,
    metrics: 0,
    profiles: 0,
    trials: 0,
    run: 0,
  };

  constructor(private readonly id: string) {}

  /**
   * Adds a document. Events of Dyno's collector are counted, but do not affect the checksum, because more events may still arrive and their
   * ids are random.
   */
  add({ kind, source }: FileDocument): void {
    this.counts[kind] += 1;
    if (kind !== 'metrics')
      this.hash.update(lineOf([kind, withoutSpace(source as unknown as { experiment: object })]));
  }

  get hasRun(): boolean {
    return this.counts.run > 0;
  }

  get sum(): CountedRun {
    const { samples, metrics, trials, profiles } = this.counts;
    return {
      id: this.id,
      samples,
      metrics,
      trials,
      ...(profiles === 0 ? {} : { profiles }),
      sha256: this.hash.copy().digest('hex'),
    };
  }
}

/**
 * Returns the document as it is stored in the results cluster.
 * - `version`: version of runs and trials.
 * - `space`: Kibana space in which the document is stored; undefined to keep the space in the document.
 * Indices and ids are derived from the run that the document names. Therefore, a damaged or manipulated file cannot overwrite other runs.
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
    case 'profiles':
      return storedProfile(kept as ProfileDocument);
    case 'trials':
      return storedTrial(trialOf(kept as StoredTrial), version);
    case 'run':
      return storedRun(kept as RunDocument, version);
  }
}

const UNCHANGED = `a file that Dyno has written (*${RUN_FILE_ENDING}), unchanged`;

const damaged = (where: string, why: string): DynoError =>
  inputError('results.file', where, `this is not a complete file of runs: ${why}`, {
    allowed: UNCHANGED,
  });

/**
 * Parses and checks a line. The keys of the returned value are in the order of the line. The schema would change their order, on which the
 * checksums depend.
 */
function parseLine<T>(schema: z.ZodType<T>, text: string, at: number): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged(`line ${at}`, 'the line is not JSON');
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

/**
 * Yields the lines of a compressed file, without line feeds. Rejects with a DynoError `results.file` if the file is truncated or is not
 * text compressed with gzip.
 */
async function* linesOf(file: AsyncIterable<Buffer>, mostBytes: number): AsyncGenerator<string> {
  const gunzip = createGunzip();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest: string[] = [];
  let length = 0;
  let bytes = 0;
  const feeding = pipeline(file, gunzip);
  // Errors are ignored here, because reading the stream below ends with the same error.
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
  if (rest.join('') !== '') throw damaged('', 'it is truncated');
}

/** Gets the contents of a file while the file is being read. */
export interface FileReader {
  head(head: FileHead): void;
  document(document: FileDocument): Promise<void> | void;
}

/**
 * Maximum size of the uncompressed text of a file, in bytes. A run of one week is smaller. The compressed file has about a tenth of this
 * size.
 */
export const MOST_UNPACKED = 64 * 1024 ** 3;

/**
 * Reads a file once, and passes its contents to `reader`. Resolves to the counts of documents in the last line. Rejects with a DynoError
 * (input). It is `results.file` if the file is damaged, which may only be detected at the end of the file. It is `results.file-newer` if a
 * newer version of Dyno wrote the file.
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
    if (end) throw damaged(`line ${at}`, 'there is more text after its end');
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
      if (end.sha256 !== hash.digest('hex')) throw damaged(`line ${at}`, 'the checksum does not match');
      const found = sums.map(({ sum }) => sum);
      if (JSON.stringify(found) !== JSON.stringify(end.runs) || !sums.every(({ hasRun }) => hasRun))
        throw damaged(`line ${at}`, 'its documents do not match the counts in its last line');
      if (known.runs.length !== found.length)
        throw damaged(`line ${at}`, 'a run of its first line is missing');
    }
    if (!end) hash.update(`${text}\n`);
  }
  if (!end) throw damaged(at === 0 ? '' : `line ${at}`, at === 0 ? 'it is empty' : 'it is truncated');
  return end.runs;
}

/**
 * Checks that a document belongs to the current run, or to the next run in the list of the first line. `sums`: counts and checksums of the
 * runs so far. If the document is the first one of the next run, an element for this run is appended.
 */
function checkPlace({ kind, source }: FileDocument, { runs }: FileHead, sums: RunSum[], at: number): void {
  const run = source.run.id;
  if (sums.length === 0 || sums.at(-1)!.hasRun) {
    const next = runs[sums.length]?.id;
    if (next !== undefined) sums.push(new RunSum(next));
    else throw damaged(`line ${at}`, 'it contains a run that its first line does not list');
  }
  if (sums.at(-1)!.sum.id !== run)
    throw damaged(`line ${at}`, `a document of the run ${run} is among those of another run`);
  if (kind === 'metrics' || kind === 'run') return;
  const trial = (source as unknown as { trial: { id: string } }).trial.id;
  if (!trial.startsWith(`${run}-`))
    throw damaged(`line ${at}`, `the trial ${trial} does not belong to the run ${run}`);
}
