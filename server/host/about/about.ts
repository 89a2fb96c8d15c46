/**
 * Collects the version and the health of the parts of Dyno that the page *About* lists, such as the results cluster and the spool. Kibana's
 * plugin and the standalone server both use this code. If one part fails, the others are still inspected.
 */
import { constants } from 'node:fs';
import { access, readdir, stat, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { CertificationStatus } from '../../../common/api/certification';
import {
  ABOUT_PARTS,
  type About,
  type AboutPart,
  type AboutParts,
  type AboutPaths,
  type Found,
} from '../../../common/api/about';
import { aboutProblems } from '../../../common/about/problems';
import { withDefaults, type ElasticsearchClient } from '../../../common/elasticsearch/client';
import { isOver } from '../../../common/experiment/schedule';
import { DynoError, messageOf } from '../../../common/problem';
import * as api from '../../elasticsearch/api';
import { ask } from '../../results/answer';
import { KEPT } from '../../results/writer';
import type { ScheduleLog } from '../../results/schedule-log';
import type { ResultsReader } from '../../results/reader';
import type { ExperimentStore, Services } from '../../routes/services';
import type { Redactor } from '../../../common/secrets/redact';
import { parseTime } from '../../../common/units/time';
import { withTimeLimit } from '../../waiting';
import { PAGE_WAITS_MS, versionOf } from './results-status';

/**
 * For each part of Dyno on the page *About*: a function that inspects it. If the function throws, the page shows the message instead of
 * information about the part.
 */
export type AboutSources = { readonly [P in AboutPart]: () => Promise<Found<P>> | Found<P> };

/** Timeout of the inspection of each part, in ms. It is short, because a page waits for the result. */
const PART_MS = 8000;
const DAY_MS = 24 * 60 * 60_000;

/** Returns the message of an error in a form that can end a sentence. */
const reasonOf = (error: unknown): string =>
  error instanceof DynoError ? error.problems.map(({ message }) => message).join('; ') : messageOf(error);

async function inspectPart(
  look: () => unknown,
  redactor: Redactor,
  ms: number,
): Promise<{ found: unknown; failure: string }> {
  try {
    const looking = Promise.resolve().then(() => look());
    const found = await withTimeLimit(looking, ms, () => new Error(`no answer within ${ms / 1000} s`));
    return { found: redactor.value(found), failure: '' };
  } catch (error) {
    return { found: null, failure: redactor.text(reasonOf(error)) };
  }
}

/** Inspects all parts. `partMs`: timeout of each inspection in ms. Never rejects. */
export async function gatherAbout(
  host: About['host'],
  sources: AboutSources,
  redactor: Redactor,
  { partMs = PART_MS, now = Date.now() }: { partMs?: number; now?: number } = {},
): Promise<About> {
  const inspected = await Promise.all(
    ABOUT_PARTS.map(async (part) => [part, await inspectPart(sources[part], redactor, partMs)] as const),
  );
  // The cast is safe: there is one entry per part, and each comes from the source of that part.
  const parts = Object.fromEntries(inspected) as unknown as AboutParts;
  return {
    at: new Date(now).toISOString(),
    host,
    parts,
    problems: aboutProblems({ host, parts, now }),
  };
}

export const ownVersions = (dyno: string, kibana: string | null): Found<'versions'> => ({
  dyno,
  node: process.versions.node,
  kibana,
  system: `${os.type()} ${os.release()} ${os.arch()}`,
});

/** Reads the version and the health of the results cluster. Rejects with a DynoError if the cluster does not respond. */
export async function lookAtCluster(
  client: ElasticsearchClient,
): Promise<Pick<Found<'results'>, 'version' | 'health'>> {
  const version = await versionOf(client);
  const bounded = withDefaults(client, { timeoutMs: PAGE_WAITS_MS });
  const answer = await ask(bounded, api.clusterHealth(), 'read its health', { failed: () => undefined });
  if (answer?.status === undefined) return { version, health: null };
  const { status, number_of_nodes: nodes, unassigned_shards: unassignedShards } = answer;
  return { version, health: { status, nodes, unassignedShards } };
}

/**
 * Counts the files in `folder` that wait to be stored in the results cluster, including those of other processes. Folders named `KEPT` are
 * skipped, because a person must decide whether their documents are stored. `since`: time of the oldest file in ISO 8601; null without
 * files.
 */
async function waitingIn(folder: string): Promise<{ files: number; bytes: number; since: string | null }> {
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith('.ndjson') && !name.split(path.sep).includes(KEPT),
  );
  const found = await Promise.all(names.map((name) => stat(path.join(folder, name)).catch(() => undefined)));
  const files = found.filter((one) => one !== undefined);
  // The birth time is 0 if the file system does not record it.
  const begun = files.map(({ birthtimeMs, mtimeMs }) => Math.min(birthtimeMs || mtimeMs, mtimeMs));
  return {
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    since: begun.length === 0 ? null : new Date(Math.min(...begun)).toISOString(),
  };
}

const namesIn = async (folder: string): Promise<string[]> => {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};

/**
 * Inspects the spool, in which results wait on disk until the results cluster accepts them. `folder` contains one folder for each cluster
 * that has ever been the results cluster. `cluster`: UUID of the current results cluster; undefined if unknown. Rejects with errors of the
 * file system.
 */
export async function lookAtSpool(
  folder: string,
  cluster: string | undefined,
  documents: number,
): Promise<Found<'spool'>> {
  const found = await Promise.all(
    (await namesIn(folder)).map(async (name) => ({
      cluster: name,
      ...(await waitingIn(path.join(folder, name))),
      kept: (await namesIn(path.join(folder, name, KEPT)).catch(() => [])).length,
    })),
  );
  // While the UUID is unknown, all spooled files are assumed to wait for the current cluster.
  const isOwn = (uuid: string): boolean => cluster === undefined || uuid === cluster;
  const own = found.filter((one) => isOwn(one.cluster));
  const times = own.flatMap(({ since }) => since ?? []).sort();
  return {
    documents,
    waiting: {
      files: own.reduce((sum, { files }) => sum + files, 0),
      bytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
      since: times[0] ?? null,
    },
    others: found
      .filter((one) => !isOwn(one.cluster) && one.files > 0)
      .map(({ kept: _, ...waiting }) => waiting),
    kept: found.reduce((sum, { kept }) => sum + kept, 0),
  };
}

/** Returns the active runs, with the time at which each started. Rejects with the errors of `reader`. */
export async function runsUnderWay(reader: Pick<ResultsReader, 'findActiveRuns'>): Promise<Found<'runs'>> {
  const runs = await reader.findActiveRuns();
  return runs.map(({ run: { id, state, started }, experiment }) => ({
    id,
    experiment: experiment.name,
    state,
    since: started,
  }));
}

/**
 * Returns the number of scheduled experiments, the next scheduled run, and the missed runs of the last day. Rejects with the errors of the
 * stores.
 */
export async function lookAtSchedules(
  experiments: Pick<ExperimentStore, 'list'>,
  scheduleLog: Pick<ScheduleLog, 'newest'>,
  nextDue: Services['nextDue'],
  now = Date.now(),
): Promise<Found<'schedules'>> {
  const [all, missed] = await Promise.all([experiments.list(), scheduleLog.newest()]);
  const due = all.flatMap(({ definition: { schedule, name } }) => {
    const at = schedule === undefined ? null : nextDue(schedule);
    return at === null ? [] : [{ experiment: name, at }];
  });
  return {
    scheduled: all.filter(
      ({ definition: { schedule } }) => schedule !== undefined && !isOver(schedule, new Date(now)),
    ).length,
    next: due.sort((a, b) => (a.at < b.at ? -1 : 1))[0] ?? null,
    missed: all.flatMap(({ id, definition: { name } }) => {
      const one = missed.get(id);
      if (one === undefined || now - parseTime(one.last) > DAY_MS) return [];
      return [{ experiment: name, at: one.last, why: one.why }];
    }),
  };
}

export function certificationOf({ progress, last }: CertificationStatus): Found<'certification'> {
  if (last === null) return { going: progress !== null, last: null };
  const { answer, why, at, dyno } = last.certification;
  return { going: progress !== null, last: { answer, why, at, dyno } };
}

/**
 * Returns the folder itself, or its nearest existing parent if it does not exist. The folder will later be created on the same disk as this
 * parent.
 */
async function nearestFolder(folder: string): Promise<string> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  return isThere || path.dirname(folder) === folder ? folder : nearestFolder(path.dirname(folder));
}

/**
 * Returns the free and total space of the disks that contain the folders. Folders on the same disk are combined. Rejects with errors of the
 * file system.
 */
export async function lookAtDisks(folders: Readonly<Record<string, string>>): Promise<Found<'disks'>> {
  const disks = new Map<number, Found<'disks'>[number]>();
  for (const [name, folder] of Object.entries(folders)) {
    const there = await nearestFolder(path.resolve(folder));
    const [{ dev }, { bsize, bavail, blocks }] = await Promise.all([stat(there), statfs(there)]);
    const known = disks.get(dev);
    if (known) known.holds.push(name);
    else disks.set(dev, { holds: [name], freeBytes: bavail * bsize, totalBytes: blocks * bsize });
  }
  return [...disks.values()];
}

export const lookAtMachine = (): Found<'machine'> => ({
  cores: os.availableParallelism(),
  totalBytes: os.totalmem(),
  // On Linux, this is the memory available to programs, including the page cache.
  availableBytes: os.freemem(),
  ownBytes: process.memoryUsage.rss(),
  load: os.loadavg()[0]!,
});

/**
 * Checks whether the user of this process may read and write each folder. Result `absent`: the folder does not exist. `closed`: the user
 * may not access it. Never rejects.
 */
export const lookAtPaths = (folders: Readonly<Record<string, string>>): Promise<AboutPaths['paths']> =>
  Promise.all(
    Object.entries(folders).map(async ([name, folder]) => {
      const state = await access(folder, constants.R_OK | constants.W_OK).then(
        () => 'there' as const,
        (error: NodeJS.ErrnoException) =>
          error.code === 'ENOENT' ? ('absent' as const) : ('closed' as const),
      );
      return { name, path: folder, state };
    }),
  );
