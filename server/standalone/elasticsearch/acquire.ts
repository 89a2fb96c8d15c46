/**
 * Provides one embedded cluster for all Dyno processes of a user. The first process starts the cluster. The others find it through a file
 * in its data folder. The cluster ends with the process that started it.
 */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { inputError } from '../../../common/problem';
import { withFileLock } from '../downloads/file-lock';
import { isAlive } from '../../process-life';
import { writeWhole } from '../../whole-file';
import { dataFolder } from './folders';
import type { DistributionKind } from './distribution';
import { serverIdentity } from './identity';
import { type ElasticsearchOptions, type EmbeddedElasticsearch, startElasticsearch } from './start';

export interface AcquireOptions extends Omit<ElasticsearchOptions, 'ephemeral'> {
  /** Receives a message for each long-running step. */
  say?: (line: string) => void;
}

export interface AcquiredElasticsearch {
  kind: DistributionKind;
  url: string;
  urls: readonly string[];
  dataFolder: string;
  /** Process ids of the nodes. */
  nodePids: readonly number[];
  /** Process id of the process that started the cluster. */
  ownerPid: number;
  /** The started cluster. Undefined if another process has started it. */
  started?: EmbeddedElasticsearch;
  /** Stops the cluster if this call of `acquireElasticsearch` started it. */
  stop(): Promise<void>;
}

interface State {
  /** Kind of the distribution: full or reduced. Absent in state files of earlier versions, which only had the reduced distribution. */
  kind?: DistributionKind;
  ownerPid: number;
  clusterUuid: string;
  urls: string[];
  nodePids: number[];
}

/**
 * Maximum time in ms to wait for the nodes of a dead process before a new cluster starts on their data. Their orderly shutdown takes up to
 * 20 s.
 */
const ORPHANS_END_MS = 25_000;

const stateFile = (folder: string): string => join(folder, 'running.json');

async function readState(folder: string): Promise<State | undefined> {
  try {
    return JSON.parse(await readFile(stateFile(folder), 'utf8')) as State;
  } catch {
    return undefined;
  }
}

const writeState = (folder: string, state: State): Promise<void> =>
  writeWhole(stateFile(folder), `${JSON.stringify(state, null, 2)}\n`);

async function clusterUuidAt(url: string): Promise<string | undefined> {
  try {
    const { body } = await request(url, { reset: true, headersTimeout: 5_000 });
    return ((await body.json()) as { cluster_uuid?: string }).cluster_uuid;
  } catch {
    return undefined;
  }
}

const answers = async ({ ownerPid, urls, clusterUuid }: State): Promise<boolean> =>
  isAlive(ownerPid) && (await clusterUuidAt(urls[0]!)) === clusterUuid;

/**
 * Returns the URLs of the cluster on this data folder if the process that started it is alive and the cluster responds; otherwise
 * undefined.
 */
export async function findElasticsearch(folder: string): Promise<string[] | undefined> {
  const state = await readState(folder);
  return state && (await answers(state)) ? state.urls : undefined;
}

/** Waits until all nodes of a process that has died have ended. While these nodes shut down, they still lock the data folder. */
async function untilGone({ nodePids }: State): Promise<void> {
  const deadline = performance.now() + ORPHANS_END_MS;
  while (nodePids.some(isAlive) && performance.now() < deadline) await sleep(200);
}

/** Publishes the cluster in the state file, so that other processes find it as long as this process lives. */
export async function announceElasticsearch(
  folder: string,
  { urls, nodes, kind }: Pick<EmbeddedElasticsearch, 'urls' | 'nodes' | 'kind'>,
): Promise<void> {
  await writeState(folder, {
    kind,
    ownerPid: process.pid,
    clusterUuid: (await clusterUuidAt(urls[0]!)) ?? '',
    urls: [...urls],
    nodePids: nodes.map(({ pid }) => pid),
  });
}

async function startAndAnnounce(folder: string, options: AcquireOptions): Promise<AcquiredElasticsearch> {
  const started = await startElasticsearch({ ...options, dataFolder: folder });
  const { url, urls } = started;
  await announceElasticsearch(folder, started);
  // Nodes that end are removed from the state file, because other processes use the first node in it.
  started.onLoss(({ left }) => {
    const nodes = started.nodes.filter(({ name }) => left.includes(name));
    if (nodes.length === 0) return;
    announceElasticsearch(folder, {
      urls: nodes.map((node) => node.url),
      nodes,
      kind: started.kind,
    }).catch(() => undefined);
  });
  return {
    kind: started.kind,
    url,
    urls,
    dataFolder: folder,
    nodePids: started.nodes.map(({ pid }) => pid),
    ownerPid: process.pid,
    started,
    async stop() {
      // The state file is removed first, so that no process uses the cluster while it stops.
      await rm(stateFile(folder), { force: true });
      await started.stop();
    },
  };
}

/**
 * Returns the cluster on this data folder. If no live process has started it, starts it with the given `nodes`, `port`, `heap` and
 * settings. These options have no effect on a running cluster. Rejects with the errors of {@link startElasticsearch}.
 */
export async function acquireElasticsearch(options: AcquireOptions = {}): Promise<AcquiredElasticsearch> {
  const { say = () => undefined } = options;
  const { folder, notice } = await dataFolder(options.dataFolder, serverIdentity());
  if (notice !== undefined) say(notice);
  return withFileLock(
    join(folder, 'starting.lock'),
    async () => {
      const state = await readState(folder);
      if (state && (await answers(state))) {
        const { kind: found = 'reduced' } = state;
        if (options.kind !== undefined && options.kind !== found) {
          throw inputError(
            'elasticsearch.running',
            '--distribution',
            `process ${state.ownerPid} already runs a ${found} Elasticsearch on the data in ${folder}: end it first`,
            { found: options.kind, allowed: found },
          );
        }
        say(`Using the embedded Elasticsearch of process ${state.ownerPid} at ${state.urls[0]}`);
        return {
          kind: found,
          url: state.urls[0]!,
          urls: state.urls,
          dataFolder: folder,
          nodePids: state.nodePids,
          ownerPid: state.ownerPid,
          stop: () => Promise.resolve(),
        };
      }
      if (state && !isAlive(state.ownerPid)) await untilGone(state);
      say(
        options.steps
          ? `The embedded Elasticsearch keeps its data in ${folder}`
          : `Starting the embedded Elasticsearch, data in ${folder}`,
      );
      return startAndAnnounce(folder, options);
    },
    () => say('Waiting for another process that is starting the embedded Elasticsearch'),
  );
}
