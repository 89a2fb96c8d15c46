/** Samples that were measured and cannot be read yet: they wait for the results cluster, in memory or on the disk. */
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { ExperimentMark } from '../../common/measurement/experiment-mark';
import { markOf } from '../../common/measurement/experiment-mark';
import type { SampleDocument } from '../../common/measurement/trial';
import type { StoredDocument } from './stored';
import { parseTime } from '../../common/units/time';

export interface WaitingSamples {
  experiment: ExperimentMark;
  /** The oldest of them, ms since the epoch. */
  since: number;
}

/** A sample's line is some KB; one that is longer is not looked for, bytes. */
const LONGEST_LINE = 256 * 1024;

export const SAMPLES_ENDING = '.samples.ndjson';

/** One for each experiment, as `documents` come. */
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
 * What waits in the spool `folder`, of whatever process, by the first line of each file: a file holds samples of one run,
 * the oldest first. Resolves to nothing where there is no such folder; never rejects.
 */
export async function waitingOnDisk(folder: string): Promise<WaitingSamples[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const files = names.filter((name) => name.endsWith(SAMPLES_ENDING)).sort();
  const first = await Promise.all(files.map((name) => firstDocument(path.join(folder, name))));
  return waitingAmong(first.filter((document) => document !== undefined));
}

/** Undefined for a file that was stored meanwhile, or whose first line is not whole. */
async function firstDocument(file: string): Promise<StoredDocument | undefined> {
  try {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(LONGEST_LINE), 0, LONGEST_LINE, 0);
      const line = buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0]!;
      const document = JSON.parse(line) as Partial<StoredDocument> | null;
      return typeof document?.source === 'object' ? (document as StoredDocument) : undefined;
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}
