/** Serves results of simulated runs with the real HTTP server and pages. Needs no Elasticsearch. */
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { makeRun, REFRESH, type MadeRun, type MadeTrial } from '../../../common/analysis/testing/made-run';
import type { DefinitionInput } from '../../../common/experiment/definition';
import { buildHistory } from '../../../common/history/history';
import type { HistoryRun } from '../../../common/history/history-run';
import { runError } from '../../../common/problem';
import { buildReport } from '../../../common/report/model/build';
import { cellNames } from '../../../common/report/model/cell-names';
import {
  buildProfile,
  chooseProfile,
  isChosen,
  type ProfileQuery,
} from '../../../common/report/model/profile';
import { recordedTimeline, type RecordedDocuments } from '../../../server/results/timeline/from-documents';
import type { TimelineOptions, TimelineReader } from '../../../server/results/timeline/timeline';
import type { Handlers } from '../../../server/routes/handler';
import { createServer } from '../../../server/standalone/http/server';
import { madeProfiles } from './made-profile';

const APP = path.resolve(__dirname, '../../../build/app');

const BULK = 'tasks.ingest.ingest.bulk.docs';

const BULKS: DefinitionInput = {
  version: 1,
  name: 'Bulks of 10 against bulks of 1000',
  hypothesis: 'Larger bulks are indexed faster',
  expect: [`ingest.throughput rises with ${BULK}`],
  index: { settings: { number_of_shards: 1, number_of_replicas: 0 } },
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'apache-logs' }, bulk: { docs: 10 } },
      executor: { 'constant-clients': { clients: 2 } },
    },
  ],
  factors: { [BULK]: [10, 1000] },
  measure: { warmup: '5s', duration: '30s' },
  trials: 3,
};

const SHARDS: DefinitionInput = {
  version: 1,
  name: 'Shards against search latency',
  hypothesis: 'More shards make searches faster',
  expect: [
    'search.latency.p99 falls with index.settings.number_of_shards',
    'ingest.throughput rises with index.settings.number_of_shards',
    'search.latency.p50 falls with index.settings.number_of_shards',
  ],
  index: { settings: { number_of_shards: 1, number_of_replicas: 0 } },
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'apache-logs' }, bulk: { docs: 1000 } },
      executor: { 'constant-clients': { clients: 1 } },
    },
    {
      name: 'search',
      search: { requests: [{ name: 'all', body: { query: { match_all: {} } } }] },
      executor: { 'constant-rate': { rate: 50 } },
    },
  ],
  factors: { 'index.settings.number_of_shards': [1, 3, 12] },
  measure: { warmup: '10s', duration: '5m' },
  trials: 4,
};

const rateOf = (
  levels: Readonly<Record<string, unknown>>,
  rates: Record<string, number>,
  path: string,
): number => rates[String(levels[path])]!;

const madeLoad = (): MadeTrial => ({ tasks: { ingest: { rate: 12_000, batch: 3000, medianMs: 480 } } });

/** Numbers of frames of the runs with a profile. */
const FRAMES: Readonly<Record<string, number>> = { profiled: 500, 'large-profile': 20_000 };

/**
 * Functions that simulate runs, by id of the run. The runs include one for each possible result of a hypothesis, and runs with incomplete
 * results.
 */
export const MADE: Readonly<Record<string, () => MadeRun>> = {
  confirmed: () =>
    makeRun(
      BULKS,
      ({ levels }) => {
        const isLarge = levels[BULK] === 1000;
        return {
          tasks: {
            ingest: {
              rate: isLarge ? 11_500 : 2900,
              batch: Number(levels[BULK]),
              medianMs: isLarge ? 93 : 2.5,
              cv: 0.18,
            },
          },
        };
      },
      { id: 'confirmed', seed: 5 },
    ),
  refuted: () =>
    makeRun(
      SHARDS,
      ({ levels }) => {
        const median = rateOf(levels, { 1: 11, 3: 14, 12: 19 }, 'index.settings.number_of_shards');
        return {
          tasks: {
            ingest: { rate: 8000, batch: 1000, medianMs: 120 },
            search: { rate: 50, medianMs: median, offered: 50, rejected: 0.01 },
          },
        };
      },
      { id: 'refuted', seed: 3 },
    ),
  undecided: () =>
    makeRun(
      { ...REFRESH, trials: 3 },
      () => ({ tasks: { ingest: { rate: 12_000, batch: 3000, medianMs: 480, cv: 0.14 } } }),
      { id: 'undecided', seed: 11 },
    ),
  'no-claim': () =>
    makeRun(
      { ...REFRESH, expect: [], hypothesis: '' },
      () => ({ tasks: { ingest: { rate: 12_000, batch: 3000, medianMs: 480 } } }),
      { id: 'no-claim' },
    ),
  single: () =>
    makeRun(
      { ...REFRESH, expect: [], hypothesis: '', factors: {} },
      () => ({ tasks: { ingest: { rate: 12_000, batch: 3000, medianMs: 480 } } }),
      { id: 'single' },
    ),
  limited: () =>
    makeRun(
      REFRESH,
      ({ levels }) => ({
        tasks: {
          ingest: {
            rate: levels['index.settings.refresh_interval'] === '30s' ? 15_100 : 12_300,
            batch: 3000,
            medianMs: 480,
          },
        },
        limited: true,
      }),
      { id: 'limited' },
    ),
  running: () => {
    const made = makeRun(BULKS, () => ({ tasks: { ingest: { rate: 9000, medianMs: 20 } } }), {
      id: 'running',
    });
    made.run.run.state = 'running';
    made.run.run.ended = null;
    made.run.progress.completed = 3;
    return { ...made, trials: made.trials.slice(0, 3) };
  },
  failed: () => {
    const made = makeRun(BULKS, () => ({ tasks: { ingest: { rate: 9000 } }, state: 'failed' }), {
      id: 'failed',
    });
    made.run.run.state = 'failed';
    made.run.run.reason = 'the target did not answer for 5 minutes';
    made.run.progress.completed = 0;
    return made;
  },
  profiled: () => makeRun({ ...REFRESH, trials: 5 }, madeLoad, { id: 'profiled' }),
  'large-profile': () => makeRun({ ...REFRESH, trials: 5 }, madeLoad, { id: 'large-profile' }),
  cancelled: () => {
    const made = makeRun(
      REFRESH,
      (_, __, order) => ({
        tasks: { ingest: { rate: 9000, batch: 3000 } },
        state: order < 4 ? 'completed' : 'cancelled',
      }),
      { id: 'cancelled' },
    );
    made.run.run.state = 'cancelled';
    made.run.progress.completed = 4;
    return made;
  },
};

export interface ResultsServer {
  url: string;
  close(): Promise<void>;
}

export interface Served {
  /** Runs with their samples, by id. */
  runs?: Readonly<Record<string, RecordedDocuments>>;
  /** Histories by id of the experiment. */
  histories?: Readonly<Record<string, readonly HistoryRun[]>>;
}

/** Serves the pages with the results of the runs in {@link MADE}, and of the runs and histories in the argument. */
export async function serveResults({ runs = {}, histories = {} }: Served = {}): Promise<ResultsServer> {
  if (!existsSync(path.join(APP, 'index.html')))
    throw new Error('the pages are not built: node scripts/build-app.mjs');
  const found = <Kept>(kept: Readonly<Record<string, Kept>>, id: string): Kept => {
    const one = kept[id];
    if (one === undefined) throw runError('run.not-found', '', `no run or experiment ${id} exists`);
    return one;
  };
  const documentsOf = (id: string): RecordedDocuments => {
    if (runs[id]) return runs[id];
    const made = found(MADE, id)();
    if (FRAMES[id] !== undefined) madeProfiles(made, FRAMES[id]);
    return made;
  };
  const timelineOf = (id: string): TimelineReader => recordedTimeline(documentsOf(id));
  type Of<Query = unknown> = { params: { id: string }; query: Query };
  const handlers = {
    getReport: async ({ params: { id } }: Of) => {
      const { run, trials, samples } = documentsOf(id);
      return buildReport(run, trials, { published: null, samples: runs[id] ? samples : [] });
    },
    getProfile: async ({ params: { id }, query }: Of<ProfileQuery>) => {
      const made = found(MADE, id)();
      const { names } = cellNames(buildReport(made.run, made.trials));
      const heads = madeProfiles(made, FRAMES[id]!);
      const choice = chooseProfile(heads, query);
      const profiles = heads.filter((head) => isChosen(head, choice));
      return buildProfile(made.run, names, { heads, choice, profiles }, query);
    },
    getTimeline: ({ params: { id }, query }: Of<TimelineOptions>) => timelineOf(id).timeline(id, query),
    getDistributions: async ({ params: { id } }: Of) => ({ tasks: await timelineOf(id).distributions(id) }),
    getHistory: async ({
      params: { id },
      query: { metric, cell },
    }: Of<{ metric?: string[]; cell?: string[] }>) =>
      buildHistory(
        { experiment: { id, name: id }, runs: found(histories, id) },
        { metrics: metric, cells: cell },
      ),
    getBaseline: async () => ({ baseline: null }),
  };
  const app = await createServer({
    handlers: handlers as unknown as Handlers,
    access: { password: undefined, names: [] },
    appFolder: APP,
    version: '0',
    log: () => undefined,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => app.close() };
}
