/**
 * Starts the HTTP server with its real stores and handlers, for fuzz tests. The stores keep their documents in memory, and a simulated
 * cluster replaces all clusters.
 */
import { ABOUT_PARTS, ZIP_TYPE } from '../../common/api/about';
import { gatherAbout, type AboutSources } from '../../server/host/about/about';
import { makeBundle } from '../../server/host/about/support/bundle';
import { createRedactor } from '../../common/secrets/redact';
import type { FastifyInstance } from 'fastify';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { inputError } from '../../common/problem';
import { checkScheduled } from '../../common/experiment/scheduled';
import { resolveCells } from '../../common/experiment/resolved-cells';
import { nextTime } from '../../common/experiment/schedule';
import { createAnnotationStore } from '../../server/host/stores/annotation-store';
import { experimentStore, type KeptExperiment } from '../../server/host/stores/experiment-store';
import { targetStore, type KeptTarget } from '../../server/host/stores/target-store';
import { createTuner } from '../../server/host/tuner';
import { tuningStore, type StoredTuning } from '../../server/host/stores/tuning-store';
import type { VersionedStore } from '../../server/host/stores/versioned';
import { createExperimentHistory } from '../../server/results/experiment-history';
import { createLeases } from '../../server/results/leases';
import { createHistories } from '../../server/results/histories';
import { createRunFiles } from '../../server/host/http/run-files';
import { createScheduleLog } from '../../server/results/schedule-log';
import { createResultsReader } from '../../server/results/reader';
import { createRejectionsReader } from '../../server/results/rejections';
import { createTimelineReader } from '../../server/results/timeline/timeline';
import { createHandlers } from '../../server/routes';
import type { Services } from '../../server/routes/services';
import { createServer } from '../../server/standalone/http/server';
import type { Connection } from '../../server/target-cluster/connection';

/** Maximum number of stored documents. It is small because the test measures the memory of the server. */
const MOST_KEPT = 50;

function inMemory<T>(): VersionedStore<T> {
  const kept = new Map<string, { version: string; source: T }>();
  let sequence = 0;
  return {
    list: () =>
      Promise.resolve(
        [...kept].map(([id, found]) => ({ id, ...found })).sort((a, b) => (a.id < b.id ? -1 : 1)),
      ),
    stamps: () =>
      Promise.resolve(
        [...kept].map(([id, { version }]) => ({ id, stamp: version })).sort((a, b) => (a.id < b.id ? -1 : 1)),
      ),
    getMany: (ids) =>
      Promise.resolve(
        ids.flatMap((id) => {
          const found = kept.get(id);
          return found ? [{ id, ...found }] : [];
        }),
      ),
    get: (id) => {
      const found = kept.get(id);
      return Promise.resolve(found && { id, ...found });
    },
    create: (id, source) => {
      if (kept.has(id)) return Promise.resolve(undefined);
      if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value!);
      const found = { version: String((sequence += 1)), source };
      kept.set(id, found);
      return Promise.resolve({ id, ...found });
    },
    replace: (id, source, version) => {
      if (kept.get(id)?.version !== version) return Promise.resolve(undefined);
      const found = { version: String((sequence += 1)), source };
      kept.set(id, found);
      return Promise.resolve({ id, ...found });
    },
    delete: (id) => Promise.resolve(kept.delete(id)),
  };
}

/**
 * Matches the paths of APIs to which Elasticsearch responds with success even without indices. The simulated cluster responds to all other
 * requests with 404.
 */
const ANSWERS = /_search|_resolve\/index|_field_caps/;
const empty: ElasticsearchClient = {
  request: ({ path }) =>
    Promise.resolve({
      status: ANSWERS.test(path) ? 200 : 404,
      body: {
        _shards: { total: 0 },
        hits: { total: { value: 0 }, hits: [] },
        ...{ indices: [], aliases: [], data_streams: [], fields: {} },
      } as never,
    }),
};

const notFound = (): Promise<never> =>
  Promise.reject(inputError('run.not-found', 'id', 'there is no such run'));

/** Functions that provide the contents of the health page. All of them fail. */
const failingSources = Object.fromEntries(
  ABOUT_PARTS.map((part) => [part, notFound]),
) as unknown as AboutSources;

/** Starts the server. `own`: services that replace the simulated ones. */
export async function hostileServer(
  appFolder: string,
  log: (text: string) => void,
  own: Partial<Services> = {},
): Promise<FastifyInstance> {
  const reader = createResultsReader(empty);
  const experiments = experimentStore(inMemory<KeptExperiment>());
  const { service: tunings } = createTuner({
    store: tuningStore(inMemory<StoredTuning>()),
    leases: createLeases(empty),
    runs: { start: notFound, resume: notFound, cancel: notFound, progress: () => null, delete: notFound },
    ...{ reader, experiments },
    samples: {
      keep: () => Promise.resolve(),
      take: () => Promise.resolve(),
      drafts: () => Promise.resolve([]),
      remove: () => Promise.resolve(),
    },
    connected: (_, work) => work({ ...empty } as Connection),
    checkFiles: () => Promise.resolve(),
    onProblem: ({ message }) => log(message),
  });
  const redactor = createRedactor();
  const services: Services = {
    about: {
      look: () => gatherAbout('standalone', failingSources, redactor),
      paths: () => Promise.resolve({ paths: [], bundle: [] }),
      bundle: async () => ({
        ...(await makeBundle([], redactor, { version: '0.0.0' })),
        contentType: ZIP_TYPE,
      }),
    },
    scheduleLog: createScheduleLog(empty),
    runFiles: createRunFiles({ results: empty, version: '0.0.0', folder: appFolder }),
    experiments,
    tunings,
    targets: targetStore<string>({
      kept: inMemory<KeptTarget<string>>(),
      secrets: {
        refused: null,
        keep: (_id, secret) => Promise.resolve(secret),
        open: (_id, secret) => Promise.resolve(secret),
        forget: () => Promise.resolve(),
      },
      local: {
        owner: 'the server',
        describe: () => ({
          id: 'local',
          version: null,
          title: 'local',
          hosts: [],
          credentials: { kind: 'none', username: null },
          ca: null,
          verifyCertificates: true,
          builtIn: true,
        }),
        look: () => ({ ...empty, close: () => Promise.resolve() }),
      },
      // Prevents connections to other processes.
      allowedHosts: ['127.0.0.1:1'],
    }),
    runs: {
      start: ({ definition }) => {
        checkScheduled(definition, resolveCells(definition), false);
        return Promise.resolve({ run: 'run-1', state: 'queued' });
      },
      resume: notFound,
      cancel: notFound,
      progress: () => null,
      runOf: () => null,
      queuedBehind: () => null,
      heldBack: () => '',
      follow: () => () => undefined,
      delete: notFound,
      cleanUp: notFound,
      tryRequest: notFound,
    },
    results: reader,
    history: createExperimentHistory(empty),
    histories: createHistories(empty),
    annotations: createAnnotationStore(empty),
    timeline: createTimelineReader(empty),
    rejections: createRejectionsReader(empty, 'default'),
    status: () =>
      Promise.resolve({
        version: '0',
        host: 'standalone',
        results: { url: '', reachable: true, problem: '', name: '', version: '' },
        startsClustersOf: null,
        allowedHosts: null,
        spooled: 0,
        untold: [],
      } as never),
    collector: () =>
      Promise.resolve({
        shippers: [],
        own: { state: 'off', detail: '' },
        configurations: [],
        packages: [],
      } as never),
    collectorPackage: notFound,
    certification: {
      status: () =>
        Promise.resolve({
          machine: { host: 'here', cores: 2 },
          dyno: '0',
          progress: null,
          problem: '',
          last: null,
        }),
      start: () => Promise.reject(inputError('certification.going', '', 'it is already running')),
      cancel: () => Promise.reject(inputError('certification.none', '', 'none is running')),
    },
    traffic: {
      list: () => Promise.resolve({ folder: '', files: [], isCut: false }),
      survey: () => Promise.resolve({ state: 'reading', read: 0, of: null }),
    },
    nextDue: (schedule) => nextTime(schedule, new Date())?.toISOString() ?? null,
    startsClusters: () => false,
    checkFiles: () => Promise.resolve(),
    checkRead: () => Promise.resolve(),
    previewDocuments: () => Promise.resolve({ documents: [], mapping: {}, isGuessed: false }),
    ...own,
  };
  return createServer({
    handlers: createHandlers(services),
    access: { password: undefined, names: [] },
    appFolder,
    version: '0',
    log,
  });
}
