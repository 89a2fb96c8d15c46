/**
 * One embedded cluster for all of a user's Dyno processes: whoever comes first starts it, the others find it through a
 * file in its data folder. It ends with the process that started it.
 */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { withFileLock } from '../downloads/file-lock';
import { isAlive } from '../../process-life';
import { writeWhole } from '../../whole-file';
import { dataFolder } from './folders';
import { serverIdentity } from './identity';
import { type ElasticsearchOptions, type EmbeddedElasticsearch, startElasticsearch } from './start';

export interface AcquireOptions extends Omit<ElasticsearchOptions, 'ephemeral'> {
  /** Told what takes long, one line each. */
  say?: (line: string) => void;
}

export interface AcquiredElasticsearch {
  url: string;
  urls: readonly string[];
  dataFolder: string;
  /** The process that started it: this one if `started` is there. */
  ownerPid: number;
  started?: EmbeddedElasticsearch;
  /** Ends what this call started; leaves alone what it found. */
  stop(): Promise<void>;
}

interface State {
  ownerPid: number;
  clusterUuid: string;
  urls: string[];
  nodePids: number[];
}

/** How long nodes whose owner has died may take to end: their grace and a bit, ms. */
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

/** URLs of the cluster on this data folder, of which a live process says that it runs and which answers; undefined without. */
export async function findElasticsearch(folder: string): Promise<string[] | undefined> {
  const state = await readState(folder);
  return state && (await answers(state)) ? state.urls : undefined;
}

/** Nodes that have lost their owner are on their way out, and hold the data folder until then. */
async function untilGone({ nodePids }: State): Promise<void> {
  const deadline = performance.now() + ORPHANS_END_MS;
  while (nodePids.some(isAlive) && performance.now() < deadline) await sleep(200);
}

/** From now on, and as long as this process lives, whoever asks for the cluster of this data folder finds that one. */
export async function announceElasticsearch(
  folder: string,
  { urls, nodes }: Pick<EmbeddedElasticsearch, 'urls' | 'nodes'>,
): Promise<void> {
  await writeState(folder, {
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
  // Whoever looks for the cluster asks the first node that is named.
  started.onLoss(({ left }) => {
    const nodes = started.nodes.filter(({ name }) => left.includes(name));
    if (nodes.length === 0) return;
    announceElasticsearch(folder, { urls: nodes.map((node) => node.url), nodes }).catch(() => undefined);
  });
  return {
    url,
    urls,
    dataFolder: folder,
    ownerPid: process.pid,
    started,
    async stop() {
      // First, so that nobody comes while it closes.
      await rm(stateFile(folder), { force: true });
      await started.stop();
    },
  };
}

/**
 * The cluster on this data folder, started unless another live process runs it; `nodes`, `port`, `heap` and settings
 * count only if it is started. Rejects as {@link startElasticsearch} does.
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
        say(`Using the embedded Elasticsearch of process ${state.ownerPid} at ${state.urls[0]}`);
        return {
          url: state.urls[0]!,
          urls: state.urls,
          dataFolder: folder,
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
