/**
 * Tests that each panel of the dashboards shows the same numbers as this test calculates directly from the documents. The documents come
 * from two nodes with different queues, from tasks of different durations, and from two simultaneous runs.
 */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { DASHBOARD_KINDS } from '../../common/api/dashboards';
import { OUTCOMES } from '../../common/measurement/outcomes';
import type { TaskSummary } from '../../common/measurement/trial';
import { createRandom } from '../../common/random';
import { DATA_VIEWS, RUNTIME_FIELDS } from '../../server/kibana/dashboards/data-views';
import type { DataViewName } from '../../server/kibana/dashboards/ids';
import { dashboard, definitionOf } from '../../server/kibana/dashboards';
import type { LensPanel } from '../../server/kibana/dashboards/panel';
import { storedTrial } from '../../server/results/stored';
import { installTemplates, TEMPLATES, type Template } from '../../server/results/templates';
import { aRun, aSample, aTrial } from '../../server/results/testing/made-documents';
import { askElasticsearch, describeWithElasticsearch } from './support/kibana';
import { askLens, type LensState } from './support/lens';

type Doc = Record<string, unknown>;

/** Start of the data: a day without other data. */
const BEGUN = Date.UTC(2001, 1, 3);
const NAME = 'test-of-panels';
const INTERVAL_S = 30;
const EXPERIMENT = { id: NAME, name: 'Panels', target: 'local' };

const at = (second: number): string => new Date(BEGUN + second * 1000).toISOString();

const random = createRandom(7);
const upTo = (most: number): number => random.below(most + 1);

/** Nodes whose events the collector sends at different intervals. Only n1 has a garbage collector with the name `young`, like G1. */
const NODES = [
  { name: 'n1', capacity: 10_000, most: 4, limit: 1e9, everyS: 10 },
  { name: 'n2', capacity: 4, most: 4, limit: 1e6, everyS: 7 },
];

const CPU_MODES = ['user', 'nice', 'system', 'idle', 'iowait', 'irq', 'softirq', 'steal'];

const madeMetrics = (): Doc[] =>
  NODES.flatMap(({ name, capacity, most, limit, everyS }) =>
    Array.from({ length: 12 }, (_, i): Doc[] => {
      // The first event of a node has no changes.
      const change = <T>(made: T): T | object => (i === 0 ? {} : made);
      const common = {
        '@timestamp': at(i * everyS),
        experiment: { id: NAME },
        run: { id: NAME },
        elasticsearch: { node: { name } },
        host: { name: `host-of-${name}` },
      };
      const collections = (): object => ({
        count: { total: i, ...change({ change: upTo(3) }) },
        time: { ms: { total: i, ...change({ change: upTo(200) }) } },
      });
      const changed = (limit: number): object => change({ change: upTo(limit) });
      const counter = (limit: number): object => ({ total: i, ...changed(limit) });
      const node = {
        ...change({ interval: { ms: everyS * 1000 + upTo(50) } }),
        thread_pool: {
          write: {
            active: upTo(8),
            queue: i === 5 ? most : upTo(most),
            queue_capacity: capacity,
            rejected: counter(20),
            completed: counter(1000),
          },
        },
        indexing_pressure: {
          limit: { bytes: limit },
          current: {
            all: { bytes: upTo(limit) },
            coordinating: { bytes: upTo(limit) },
            primary: { bytes: upTo(limit) },
            replica: { bytes: upTo(limit) },
          },
          rejections: { coordinating: counter(5), primary: counter(5), replica: counter(5) },
        },
        cpu: { os: { pct: random.unit() }, process: { pct: random.unit() } },
        jvm: { heap: { used: { pct: random.unit() } } },
        merges: {
          current: { bytes: upTo(1e6) },
          time: { ms: counter(9000) },
          throttled: { ms: counter(900) },
          stopped: { ms: counter(90) },
        },
        indexing: { throttled: { ms: counter(500) } },
        gc: name === 'n1' ? { young: collections(), old: collections() } : {},
      };
      const host = {
        ...change({ interval: { ms: everyS * 1000 + upTo(50) } }),
        cpu: Object.fromEntries(CPU_MODES.map((mode) => [mode, { ms: counter(500) }])),
        busiest_disk: { busy: { pct: random.unit() } },
        pressure: {
          io: { some: { stalled: { us: counter(1e6) } }, full: { stalled: { us: counter(1e5) } } },
        },
        io: { read: { bytes: changed(1e8) }, written: { bytes: changed(1e8) } },
        network: { rx: { bytes: changed(1e7) }, tx: { bytes: changed(1e7) } },
      };
      return [
        { ...common, metricset: { name: 'node' }, dyno: { node } },
        { ...common, metricset: { name: 'host' }, dyno: { host } },
      ];
    }).flat(),
  );

/** Two simultaneous runs with different tasks. `tasks`: number of seconds that each task lasts. */
const RUNS = [
  { id: `${NAME}-a`, fromS: 0, tasks: { ingest: 40, search: 25 }, cells: ['c1', 'c2'] },
  { id: `${NAME}-b`, fromS: 10, tasks: { writing: 33, ask: 12, buy: 30 }, cells: ['c1', 'c3'] },
];

const madeSamples = (): Doc[] =>
  RUNS.flatMap(({ id, fromS, tasks, cells }) =>
    cells.flatMap((cell, number) =>
      Object.entries(tasks).flatMap(([task, seconds]) =>
        Array.from({ length: seconds }, (_, second) => {
          const whole = aSample(id, `${id}-${number}`, second);
          const accepted = upTo(5000);
          return {
            ...whole,
            '@timestamp': at(fromS + number * 60 + second),
            experiment: EXPERIMENT,
            cell: { id: cell, label: cell },
            task,
            phase: second < 5 ? 'warm-up' : 'measure',
            counts: {
              ...whole.counts,
              ...Object.fromEntries(OUTCOMES.map(({ name }) => [name, upTo(30)])),
              accepted,
              attempted: accepted + 90,
            },
            throughput: accepted,
            latency: {
              ...whole.latency,
              p50: upTo(100),
              max: 500 + upTo(500),
              // A second with few answers has no p99.
              p99: second % 4 === 0 ? null : 100 + upTo(300),
            },
          } as unknown as Doc;
        }),
      ),
    ),
  );

const madeTask = (task: TaskSummary, name: string, kind: TaskSummary['kind']): TaskSummary => ({
  ...task,
  task: name,
  kind,
  throughput: 100 + upTo(1000),
  latency: { ...task.latency, p50: upTo(100), p90: 100 + upTo(100), p99: 200 + upTo(100) },
  counts: { ...task.counts, ...Object.fromEntries(OUTCOMES.map(({ name: outcome }) => [outcome, upTo(90)])) },
});

const madeTrials = (): Doc[] =>
  RUNS.flatMap(({ id, cells }, which) =>
    Array.from({ length: 6 }, (_, order) => {
      const label = cells[order % 2]!;
      const whole = aTrial(id, `${id}-${order}`, order);
      const [task] = whole.tasks as [TaskSummary];
      const kinds =
        which === 0 ? (['ingest', 'search'] as const) : (['ingest', 'ingest', 'transaction'] as const);
      const trial = {
        ...whole,
        experiment: EXPERIMENT,
        cell: { ...whole.cell, index: order % 2, id: label, label },
        trial: { ...whole.trial, state: order === 5 ? ('failed' as const) : ('completed' as const) },
        tasks: kinds.map((kind, number) => madeTask(task, `${kind}-${number}`, kind)),
        times: { ...whole.times, started: at(order * 20 + which) },
      };
      const source = storedTrial(trial, 1).source as Doc;
      return { ...source, figures: { 'cluster.cpu': random.unit(), ...madeFigures() } };
    }),
  );

const CLUSTER = [
  ...['cpu', 'iowait', 'disk.busy', 'heap', 'disk.read', 'disk.write', 'network.in', 'network.out'],
  ...['merges.count', 'refresh.count', 'rejections', 'merges.time', 'merges.throttled', 'refresh.time'],
] as const;

const madeFigures = (): object =>
  Object.fromEntries(CLUSTER.map((name) => [`cluster.${name}`, Math.round(random.unit() * 1e6) / 1e3]));

const madeRuns = (): Doc[] =>
  RUNS.map(({ id }, i) => {
    const run = aRun(id, { state: 'completed', started: at(i) });
    return {
      ...run,
      experiment: { ...run.experiment, id: NAME },
      progress: { ...run.progress, completed: 5 + i },
    };
  }) as unknown as Doc[];

const DOCUMENTS: Readonly<Record<DataViewName, Doc[]>> = {
  runs: madeRuns(),
  trials: madeTrials(),
  samples: madeSamples(),
  metrics: madeMetrics(),
};

/** Returns the value of a field of a document; undefined without a value. Any part of the field's path may be nested in objects. */
function get(doc: unknown, field: string): unknown {
  if (field === '') return doc ?? undefined;
  if (typeof doc !== 'object' || doc === null) return undefined;
  for (const [name, inner] of Object.entries(doc)) {
    const rest =
      field === name ? '' : field.startsWith(`${name}.`) ? field.slice(name.length + 1) : undefined;
    const found = rest === undefined ? undefined : get(inner, rest);
    if (found !== undefined) return found;
  }
  return undefined;
}

const numbers = (docs: readonly Doc[], field: string): number[] =>
  docs.map((doc) => get(doc, field)).filter((value) => typeof value === 'number');
const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const highest = (values: readonly number[]): number | null =>
  values.length === 0 ? null : Math.max(...values);
const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : total(values) / values.length;
function middle(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return mean(
    Number.isInteger(half)
      ? sorted.slice(half - 1, half + 1)
      : sorted.slice(Math.floor(half), Math.ceil(half)),
  );
}
const quotient = (a: number, b: number): number | null => (b === 0 ? null : a / b);
const different = (docs: readonly Doc[], field: string): number =>
  new Set(docs.map((doc) => get(doc, field))).size;

const node = (name: string) => `dyno.node.${name}`;
const host = (name: string) => `dyno.host.${name}`;

/** Calculates the numbers that a panel must show for a group of documents. */
type Expected = (docs: readonly Doc[]) => (number | null)[];

const most =
  (...fields: string[]): Expected =>
  (docs) =>
    fields.map((field) => highest(numbers(docs, field)));
const means =
  (...fields: string[]): Expected =>
  (docs) =>
    fields.map((field) => mean(numbers(docs, field)));
const sums =
  (...fields: string[]): Expected =>
  (docs) =>
    fields.map((field) => total(numbers(docs, field)));

/** Returns the highest value of `part / whole` in a single event. Both are paths of fields. */
const mostOfShare =
  (part: string, whole: string): Expected =>
  (docs) => [highest(docs.flatMap((doc) => quotient(Number(get(doc, part)), Number(get(doc, whole))) ?? []))];
/** Returns rates: the sum of a counter's changes, divided by the time between the events. `interval`: field with this time. */
const byTime =
  (interval: string, factor: number, ...fields: string[]): Expected =>
  (docs) =>
    fields.map((field) => {
      const reporting = docs.filter((doc) => get(doc, field) !== undefined);
      const share = quotient(total(numbers(reporting, field)), total(numbers(reporting, interval)));
      return share === null ? null : share * factor;
    });
const ofNodeTime = (...fields: string[]): Expected => byTime(node('interval.ms'), 1, ...fields.map(node));
/** Returns the share of the CPU time of all cores that the machine spent in the given modes, such as `user`. */
const ofCpuTime =
  (...modes: string[]): Expected =>
  (docs) => {
    const all = (of: readonly string[]): number =>
      of.reduce((sum, mode) => sum + total(numbers(docs, host(`cpu.${mode}.ms.change`))), 0);
    return [quotient(all(modes), all(CPU_MODES))];
  };
const stalledFor = (...tasks: string[]): Expected =>
  byTime(host('interval.ms'), 1 / 1000, ...tasks.map((of) => host(`pressure.io.${of}.stalled.us.change`)));
const perSecondOfHost = (field: string): Expected => byTime(host('interval.ms'), 1000, host(field));

const queueShare = mostOfShare(node('thread_pool.write.queue'), node('thread_pool.write.queue_capacity'));
const pressureShare = mostOfShare(
  node('indexing_pressure.current.all.bytes'),
  node('indexing_pressure.limit.bytes'),
);
const rejectedOfAll: Expected = (docs) => {
  const [rejected, completed] = ['rejected', 'completed'].map((name) =>
    total(numbers(docs, node(`thread_pool.write.${name}.change`))),
  );
  return [quotient(rejected!, rejected! + completed!)];
};

const slowAnswers = (docs: readonly Doc[]): number[] =>
  docs.map((doc) => Number(get(doc, 'latency.p99') ?? get(doc, 'latency.max')));

/** Returns the values of a field for all tasks of one kind, in all trials. */
const ofTasks = (docs: readonly Doc[], kind: string, field: string): number[] =>
  docs.flatMap((doc) =>
    (doc['tasks'] as Doc[]).filter((task) => task['kind'] === kind).flatMap((task) => numbers([task], field)),
  );
const lowest = (values: readonly number[]): number | null =>
  values.length === 0 ? null : Math.min(...values);
const place: Expected = (docs) => [lowest(numbers(docs, 'cell.index'))];
const ofCluster =
  (...names: (typeof CLUSTER)[number][]): Expected =>
  (docs) => [...names.map((name) => mean(numbers(docs, `figures.cluster.${name}`))), ...place(docs)];
const spread =
  (kind: string): Expected =>
  (docs) =>
    [lowest, mean, highest].map((of) => of(ofTasks(docs, kind, 'throughput')));
const percentiles =
  (kind: string): Expected =>
  (docs) =>
    ['p50', 'p90', 'p99'].map((name) => middle(ofTasks(docs, kind, `latency.${name}`)));
const together =
  (...parts: Expected[]): Expected =>
  (docs) =>
    parts.flatMap((part) => part(docs));

const OF_NODE = (doc: Doc): boolean => get(doc, 'metricset.name') === 'node';
const OF_HOST = (doc: Doc): boolean => get(doc, 'metricset.name') === 'host';
const COMPLETED = (doc: Doc): boolean => get(doc, 'trial.state') === 'completed';
const MEASURED = (doc: Doc): boolean => doc['phase'] === 'measure';
const HAS_TRANSACTIONS = (doc: Doc): boolean =>
  COMPLETED(doc) && (doc['tasks'] as Doc[]).some(({ kind }) => kind === 'transaction');
const ANY = (): boolean => true;

/**
 * For each panel, by its title: a filter of the documents that the panel shows, and the values that it must show for a group of these
 * documents.
 */
const EXPECTED: Readonly<Record<string, [(doc: Doc) => boolean, Expected]>> = {
  'Highest write queue use': [OF_NODE, queueShare],
  'Write tasks rejected': [OF_NODE, rejectedOfAll],
  'Highest indexing pressure': [OF_NODE, pressureShare],
  'Highest CPU use of a machine': [OF_NODE, most(node('cpu.os.pct'))],
  'Write queue: most tasks that waited': [OF_NODE, most(node('thread_pool.write.queue'))],
  'Write queue: share of its capacity in use': [OF_NODE, queueShare],
  'Write pool: rejection ratio': [OF_NODE, rejectedOfAll],
  'Write pool: threads at work': [OF_NODE, means(node('thread_pool.write.active'))],
  'Indexing pressure: share of the limit': [OF_NODE, pressureShare],
  'Indexing pressure: memory by stage': [
    OF_NODE,
    most(
      ...['coordinating', 'primary', 'replica'].map((stage) =>
        node(`indexing_pressure.current.${stage}.bytes`),
      ),
    ),
  ],
  'Indexing pressure: rejections': [
    OF_NODE,
    sums(
      ...['coordinating', 'primary', 'replica'].map((stage) =>
        node(`indexing_pressure.rejections.${stage}.change`),
      ),
    ),
  ],
  'CPU of the nodes’ processes': [OF_NODE, means(node('cpu.process.pct'))],
  'CPU of the hosts': [OF_HOST, ofCpuTime('user', 'nice', 'system', 'irq', 'softirq', 'steal')],
  'Heap in use': [OF_NODE, most(node('jvm.heap.used.pct'))],
  'Threads merging, mean': [OF_NODE, ofNodeTime('merges.time.ms.change')],
  'Time in young collections': [OF_NODE, ofNodeTime('gc.young.time.ms.change')],
  'Busiest disk, mean': [OF_HOST, means(host('busiest_disk.busy.pct'))],
  'Stalled for I/O, mean': [OF_HOST, stalledFor('some')],
  'Merges: threads busy, throttled, stopped': [
    OF_NODE,
    ofNodeTime('merges.time.ms.change', 'merges.throttled.ms.change', 'merges.stopped.ms.change'),
  ],
  'Merges by node: threads busy': [OF_NODE, ofNodeTime('merges.time.ms.change')],
  'Running merges: size': [OF_NODE, most(node('merges.current.bytes'))],
  'Indexing throttled by merges': [OF_NODE, ofNodeTime('indexing.throttled.ms.change')],
  'Garbage collection: share of the time': [
    OF_NODE,
    ofNodeTime('gc.young.time.ms.change', 'gc.old.time.ms.change'),
  ],
  'Garbage collection: mean pause': [
    OF_NODE,
    (docs) =>
      ['young', 'old'].map((name) =>
        quotient(
          total(numbers(docs, node(`gc.${name}.time.ms.change`))),
          total(numbers(docs, node(`gc.${name}.count.change`))),
        ),
      ),
  ],
  'Garbage collection: the worst reading': [OF_NODE, most(node('gc.young.time.ms.change'))],
  'Busiest disk of each host': [OF_HOST, most(host('busiest_disk.busy.pct'))],
  'Processors that wait for disks (iowait)': [OF_HOST, ofCpuTime('iowait')],
  'Stalled for I/O': [OF_HOST, stalledFor('some', 'full')],
  'Bytes read from disks': [OF_HOST, perSecondOfHost('io.read.bytes.change')],
  'Bytes written to disks': [OF_HOST, perSecondOfHost('io.written.bytes.change')],
  'Network: bytes received': [OF_HOST, perSecondOfHost('network.rx.bytes.change')],
  'Network: bytes sent': [OF_HOST, perSecondOfHost('network.tx.bytes.change')],
  'Trials completed': [COMPLETED, (docs) => [different(docs, 'trial.id')]],
  'Accepted while measured': [MEASURED, sums('counts.accepted')],
  'Rejected of attempted': [
    MEASURED,
    (docs) => [quotient(total(numbers(docs, 'counts.rejected')), total(numbers(docs, 'counts.attempted')))],
  ],
  'Sent again after a 429': [MEASURED, sums('counts.retried')],
  'Throughput by cell: mean, worst and best trial': [
    COMPLETED,
    together(spread('ingest'), (docs) => [mean(ofTasks(docs, 'search', 'throughput'))], place),
  ],
  'Latency by cell: the median trial’s percentiles': [
    COMPLETED,
    together(percentiles('ingest'), percentiles('search'), place),
  ],
  'Throughput over time: mean of the seconds': [ANY, means('throughput')],
  'p50 latency over time: the median second': [ANY, (docs) => [middle(numbers(docs, 'latency.p50'))]],
  'p99 latency over time: the median second': [ANY, (docs) => [middle(slowAnswers(docs))]],
  'p99 latency over time: the worst second': [ANY, (docs) => [highest(slowAnswers(docs))]],
  'Outcomes of the documents, per second': [
    ANY,
    (docs) => {
      const seconds = new Set(docs.map((doc) => doc['@timestamp'])).size;
      return OUTCOMES.map(({ name }) => quotient(total(numbers(docs, `counts.${name}`)), seconds));
    },
  ],
  'Shares by cell: CPU, iowait, disk busy, heap': [
    COMPLETED,
    ofCluster('cpu', 'iowait', 'disk.busy', 'heap'),
  ],
  'Bytes per second by cell: read, written, received, sent': [
    COMPLETED,
    ofCluster('disk.read', 'disk.write', 'network.in', 'network.out'),
  ],
  'Counts by cell: merges, refreshes, rejections': [
    COMPLETED,
    ofCluster('merges.count', 'refresh.count', 'rejections'),
  ],
  'Times by cell: merging, throttled, refreshing': [
    COMPLETED,
    ofCluster('merges.time', 'merges.throttled', 'refresh.time'),
  ],
  Trials: [
    ANY,
    (docs) => [
      ...['throughput', 'latency.p50', 'latency.p99'].map((name) => highest(ofTasks(docs, 'ingest', name))),
      ...['search', 'transaction'].flatMap((kind) =>
        ['throughput', 'latency.p99'].map((name) => highest(ofTasks(docs, kind, name))),
      ),
      ...OUTCOMES.map(({ name }) =>
        total(docs.flatMap((doc) => numbers(doc['tasks'] as Doc[], `counts.${name}`))),
      ),
    ],
  ],
  'Indexing: throughput of each day by cell': [
    COMPLETED,
    (docs) => [mean(ofTasks(docs, 'ingest', 'throughput'))],
  ],
  'Indexing: p99 of each day by cell': [
    COMPLETED,
    (docs) => [middle(ofTasks(docs, 'ingest', 'latency.p99'))],
  ],
  'Searches: throughput of each day by cell': [
    COMPLETED,
    (docs) => [mean(ofTasks(docs, 'search', 'throughput'))],
  ],
  'Searches: p99 of each day by cell': [
    COMPLETED,
    (docs) => [middle(ofTasks(docs, 'search', 'latency.p99'))],
  ],
  'Runs of each day by version of the cluster': [ANY, (docs) => [different(docs, 'run.id')]],
  'Trials of each day by state': [ANY, (docs) => [different(docs, 'trial.id')]],
  'CPU and heap of each day': [COMPLETED, means('figures.cluster.cpu', 'figures.cluster.heap')],
  'Merges and refreshes of each day': [
    COMPLETED,
    means('figures.cluster.merges.time', 'figures.cluster.refresh.time'),
  ],
  Runs: [ANY, most('progress.completed')],
  'Transactions by cell: mean, worst and best trial': [
    HAS_TRANSACTIONS,
    together(spread('transaction'), place),
  ],
  'Latency of transactions by cell: the median trial’s percentiles': [
    HAS_TRANSACTIONS,
    together(percentiles('transaction'), place),
  ],
};

/** Returns the key of a document in a grouping by `field`. `interval`: width of the groups if `field` is the time. */
function keyOf(doc: Doc, field: string, interval: string): string {
  if (field === '@timestamp') {
    const ms = Date.parse(doc['@timestamp'] as string);
    const widthMs = interval === 'd' ? 86_400_000 : INTERVAL_S * 1000;
    return new Date(ms - (ms % widthMs)).toISOString();
  }
  if (field === 'task_and_cell') return `${String(doc['task'])}, ${String(get(doc, 'cell.label'))}`;
  if (field === 'trial_number') return String(Number(get(doc, 'trial.order')) + 1);
  return String(get(doc, field));
}

const isLens = (panel: { kind: string }): panel is LensPanel => panel.kind === 'lens';

interface SavedPanel {
  embeddableConfig: { attributes?: { title: string; state: LensState } };
}

const PANELS = DASHBOARD_KINDS.flatMap((kind) => {
  const { attributes } = dashboard(kind, 'default', at(0));
  const saved = (JSON.parse(attributes['panelsJSON'] as string) as SavedPanel[]).flatMap(
    ({ embeddableConfig }) => embeddableConfig.attributes ?? [],
  );
  return definitionOf(kind, 'default')
    .rows.flat()
    .filter(isLens)
    .map((panel) => {
      const { state } = saved.find(({ title }) => title === panel.title)!;
      return [`${kind}: ${panel.title}`, panel, state] as const;
    });
});

/** Returns the index template that the build generates from the collector's fields. */
function metricsTemplate(): Template {
  const script = path.resolve(__dirname, '../../scripts/build-metrics-template.mjs');
  const print = `import(${JSON.stringify(script)}).then(async ({ metricsTemplate }) =>
    console.log(JSON.stringify(await metricsTemplate())))`;
  const body = execFileSync(process.execPath, ['-e', print], { encoding: 'utf8' });
  return { name: 'dyno-metrics', body: JSON.parse(body) as Template['body'] };
}

const indexOf = (view: DataViewName): string => `${DATA_VIEWS[view].index}-${NAME}`;

describeWithElasticsearch('The numbers in the dashboards', () => {
  const removeAll = async (): Promise<void> => {
    for (const view of Object.keys(DOCUMENTS) as DataViewName[])
      await askElasticsearch('DELETE', `/${indexOf(view)}?ignore_unavailable=true`);
  };

  beforeAll(async () => {
    await removeAll();
    const client = {
      request: async ({ method, path: to, body }: { method: string; path: string; body?: unknown }) =>
        (await askElasticsearch(method, to, body)) as never,
    };
    await installTemplates(client, [...TEMPLATES, metricsTemplate()]);
    for (const [view, docs] of Object.entries(DOCUMENTS)) {
      const lines = docs.map((doc) => `{"create":{}}\n${JSON.stringify(doc)}\n`).join('');
      const { body } = await askElasticsearch<{ items: { create: { error?: object } }[] }>(
        'POST',
        `/${indexOf(view as DataViewName)}/_bulk?refresh=true`,
        lines,
      );
      expect(body.items.flatMap(({ create }) => create.error ?? []).slice(0, 3)).toEqual([]);
    }
  });
  afterAll(removeAll);

  test.each(PANELS)('%s equals the numbers from the documents', async (_, { title, layer }, state) => {
    expect(EXPECTED).toHaveProperty([title]);
    const [isMeant, expected] = EXPECTED[title]!;
    const rows = await askLens({
      state,
      index: indexOf(layer.view),
      runtimeFields: RUNTIME_FIELDS[layer.view],
      filter: { term: { 'experiment.id': NAME } },
      autoInterval: `${INTERVAL_S}s`,
    });
    const groups = new Map<string, Doc[]>();
    for (const doc of DOCUMENTS[layer.view].filter(isMeant)) {
      const keys = layer.buckets.map(({ field, column }) => {
        const { interval = '' } = column['params'] as { interval?: string };
        return keyOf(doc, field, interval);
      });
      const group = keys.join('\n');
      groups.set(group, [...(groups.get(group) ?? []), doc]);
    }
    expect(rows.map(({ keys }) => keys.join('\n')).sort()).toEqual([...groups.keys()].sort());
    expect(groups.size).toBeGreaterThan(0);
    for (const { keys, figures } of rows) {
      const wanted = expected(groups.get(keys.join('\n'))!);
      // Elasticsearch calculates medians only approximately.
      const slack = JSON.stringify(state).includes('"median"') ? 0.02 : 1e-9;
      const isShown = (value: number | null, shown: number | null | undefined): boolean =>
        value === null || shown == null
          ? value === null && shown === null
          : Math.abs(shown - value) <= Math.abs(value) * slack;
      expect(figures).toHaveLength(wanted.length);
      expect(wanted.filter((value, i) => !isShown(value, figures[i]))).toEqual([]);
    }
  });

  test('the fullest write queue is computed for each node, not as the longest queue by the largest capacity', async () => {
    const [, , state] = PANELS.find(([, { title }]) => title === 'Highest write queue use')!;
    const rows = await askLens({
      state,
      index: indexOf('metrics'),
      runtimeFields: RUNTIME_FIELDS.metrics,
      filter: { term: { 'experiment.id': NAME } },
      autoInterval: '30s',
    });
    expect(rows).toEqual([{ keys: [], figures: [1] }]);
  });
});
