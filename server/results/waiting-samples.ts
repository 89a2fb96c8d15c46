/** Finds samples that were measured but are not stored yet. They wait for the results cluster, in memory or on disk. */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { ExperimentMark } from '../../common/measurement/experiment-mark';
import { markOf } from '../../common/measurement/experiment-mark';
import type { SampleDocument } from '../../common/measurement/trial';
import type { StoredDocument } from './stored';
import { parseTime } from '../../common/units/time';

export interface WaitingSamples {
  experiment: ExperimentMark;
  /** Time of the oldest sample, in ms since the epoch. */
  since: number;
}

export const SAMPLES_ENDING = '.samples.ndjson';

/** Groups the samples among `documents` by experiment. Keeps the order of `documents`. */
export function waitingAmong(documents: Iterable<Pick<StoredDocument, 'source'>>): WaitingSamples[] {
  const found = new Map<string, WaitingSamples>();
  for (const { source } of documents) {
    const { '@timestamp': at, experiment } = source as Partial<SampleDocument>;
    const since = parseTime(at ?? '');
    if (experiment === undefined || Number.isNaN(since)) continue;
    const key = `${experiment.space ?? ''} ${experiment.id}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, { experiment: markOf(experiment), since });
    else known.since = Math.min(known.since, since);
  }
  return [...found.values()];
}

/**
 * Finds samples of all processes that wait in the spool `folder`. Resolves to one element for each experiment, with the time of its oldest
 * sample. Reads only the first line of each file: all samples in a file belong to one run, and the oldest is first. Resolves to an empty
 * list if the folder does not exist. Never rejects.
 */
export async function waitingOnDisk(folder: string): Promise<WaitingSamples[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const files = names.filter((name) => name.endsWith(SAMPLES_ENDING)).sort();
  const first = await Promise.all(files.map((name) => firstDocument(path.join(folder, name))));
  return waitingAmong(first.filter((document) => document !== undefined));
}

/**
 * Reads the first document of a file. Undefined if the file no longer exists because its documents were stored, or if its first line is
 * incomplete.
 */
async function firstDocument(file: string): Promise<StoredDocument | undefined> {
  try {
    const document = JSON.parse(await firstLine(file)) as Partial<StoredDocument> | null;
    return typeof document?.source === 'object' ? (document as StoredDocument) : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a file up to its first line break, because a profile has up to 1 MB, but most lines are much shorter. */
async function firstLine(file: string): Promise<string> {
  let read = '';
  for await (const chunk of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    read += chunk;
    const end = read.indexOf('\n', read.length - chunk.length);
    if (end >= 0) return read.slice(0, end);
  }
  return read;
}
