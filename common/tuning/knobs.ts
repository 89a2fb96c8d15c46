/**
 * What a tuning may turn: for each knob the values to try around the present one, what it is expected to bring and what it costs.
 *
 * The expected gains only order the experiments. They are rough readings of the published experiments that come with
 * Dyno (named at each knob) and of Elasticsearch's guides to indexing and search speed and to disk usage; no figure of them is ever told as a result.
 */
import {
  refreshMsOf,
  replicasOf,
  shardsOf,
  flattenSettings,
  type FlatSettings,
} from '../elasticsearch/settings';
import { mappingOf } from '../experiment/cell-definition';
import type { Definition } from '../experiment/definition';
import { plainValue, shownWhole } from '../json/exact';
import { durationMs } from '../units/duration';
import { formatDuration, plural } from '../units/format';
import type { Concession, Goal } from './choices';

export const CONCESSION_TITLES: Record<Concession, string> = {
  durability: 'The translog may be written every 5 s: what was acknowledged since is lost with the node',
  copies: 'There may be fewer copies: a lost node may take documents with it',
};

/** What is known of the target. */
export interface TargetKnown {
  /** Of nodes that hold data; null where the cluster does not tell. */
  dataNodes: number | null;
  /** Of the smallest data node; null where it does not tell. */
  cores: number | null;
  /** `9.5.3`. */
  version: string;
  serverless: boolean;
}

export interface KnobContext {
  /** Its index settings flat: see {@link withFlatSettings}. */
  definition: Definition;
  goal: Goal;
  target: TargetKnown;
  allow: readonly Concession[];
  /** Longest time until a document may be found, ms. */
  freshnessMs: number;
  /** How long a trial is measured, ms; null where documents are counted. */
  measuredMs: number | null;
}

/** One value of a knob that may be tried. */
export interface Proposal {
  /** As in a cell of an experiment: paths with their values. */
  levels: Readonly<Record<string, unknown>>;
  /** `1000 documents`. */
  value: string;
  /** Factor by which the goal may become better; only for the order. */
  expected: number;
}

export interface KnobLook {
  /** What it is now, for people. */
  present: string;
  /** Levels of the present value, where it is written. */
  levels: Readonly<Record<string, unknown>>;
  proposals: Proposal[];
  /** Values that would be tried elsewhere, and why not here. */
  left: { value: string; why: string }[];
}

export interface Knob {
  name: string;
  title: string;
  /** What it costs elsewhere, or what speaks against it, in a sentence. */
  costs: string;
  /** Where the order of expected gain comes from. */
  source: string;
  helps: readonly Goal[];
  /** Why it cannot be turned here; '' where it can. */
  unfit: (context: KnobContext) => string;
  look: (context: KnobContext) => KnobLook;
}

/** Its index settings by flat names, so that a knob finds them under one path. */
export const withFlatSettings = (definition: Definition): Definition => ({
  ...definition,
  index: { ...definition.index, settings: flattenSettings(definition.index.settings) },
});

const settingsOf = ({ definition }: KnobContext): FlatSettings => definition.index.settings;

const ingestTask = ({ definition }: KnobContext): Definition['tasks'][number] | undefined =>
  definition.tasks.find(({ ingest }) => ingest);

const pathOf = (setting: string): string => `index.settings.${setting}`;

/** Of one index setting. */
const settingLook = (
  context: KnobContext,
  setting: string,
  usual: string,
  tried: readonly { value: unknown; expected: number; left?: string }[],
): KnobLook => {
  const written = settingsOf(context)[setting];
  const show = shownWhole;
  const isSame = (value: unknown): boolean => show(written ?? usual) === show(value);
  const others = tried.filter(({ value }) => !isSame(value));
  return {
    present: written === undefined || written === null ? usual : show(written),
    levels: written === undefined || written === null ? {} : { [pathOf(setting)]: written },
    proposals: others
      .filter(({ left }) => left === undefined)
      .map(({ value, expected }) => ({ levels: { [pathOf(setting)]: value }, value: show(value), expected })),
    left: others.flatMap(({ value, left }) =>
      left === undefined ? [] : [{ value: show(value), why: left }],
    ),
  };
};

const ofOwnIndex = ({ definition, target }: KnobContext): string =>
  definition.index.existing !== undefined
    ? 'the data is there already and stays as it is'
    : target.serverless
      ? 'Serverless takes care of it'
      : '';

const isAtLeast = (version: string, major: number, minor: number): boolean => {
  const [a = 0, b = 0] = version.split('.').map(Number);
  return a > major || (a === major && b >= minor);
};

/** Bulk sizes that are tried, in documents: the steps of azure-bulk-size and of common advice. */
const BULKS = [100, 500, 1000, 2500, 5000, 10_000];
const LARGE_BULK = 10_000;

const bulk: Knob = {
  name: 'bulk',
  title: 'Documents in each bulk',
  costs: 'Larger bulks take longer to be answered and hold more memory of the cluster while they are.',
  source: 'azure-bulk-size; Elasticsearch: Tune for indexing speed, "Use bulk requests"',
  helps: ['throughput', 'cost', 'search-p95'],
  unfit: (context) => {
    const task = ingestTask(context);
    if (task?.ingest?.bulk.docs === undefined) return 'its bulks are filled by bytes, not by documents';
    return 'constant-clients' in task.executor
      ? ''
      : 'bulks are offered at a rate, so their size would change how many documents are offered';
  },
  look: (context) => {
    const task = ingestTask(context)!;
    const docs = task.ingest!.bulk.docs!;
    const path = `tasks.${task.name}.ingest.bulk.docs`;
    const gain = (more: number): number => {
      if (context.goal === 'search-p95') return 1.02;
      const overhead = 100 / docs;
      return 1 + Math.min(3, overhead * (1 - 1 / more)) + 0.05 * Math.log10(more);
    };
    const up = [8, 60]
      .map((times) => BULKS.find((size) => size >= docs * times))
      .filter((size) => size !== undefined);
    const near = docs < LARGE_BULK ? BULKS.filter((size) => size > docs * 1.9).slice(0, 1) : [];
    const down = docs >= 5000 ? [docs / 5] : [];
    const sizes = [...new Set([...(up.length === 0 ? near : up), ...down].map(Math.round))];
    return {
      present: plural(docs, 'document'),
      levels: { [path]: docs },
      proposals: sizes.map((size) => ({
        levels: { [path]: size },
        value: plural(size, 'document'),
        expected: size > docs ? gain(size / docs) : 1.03,
      })),
      left: [],
    };
  },
};

/** The measured phase is to see so many refreshes, or it measures an index that is not refreshed at all. */
const LEAST_REFRESHES = 2;

const refresh: Knob = {
  name: 'refresh',
  title: 'Refresh interval',
  costs: 'New documents are found later, by up to the interval.',
  source: 'sematext-refresh, azure-refresh',
  helps: ['throughput', 'cost', 'search-p95'],
  unfit: ({ definition }) =>
    definition.index.existing === undefined ? '' : 'the data is there already and stays as it is',
  look: (context) => {
    const { freshnessMs, measuredMs, target } = context;
    const present = refreshMsOf(settingsOf(context));
    const gain = (to: number): number =>
      present === null ? 1 : 1 + 0.12 * Math.log10(Math.max(1, to / present)) * Math.min(3, 1000 / present);
    const whyNot = (ms: number): string | undefined => {
      if (ms > freshnessMs) return `documents are to be found within ${formatDuration(freshnessMs)}`;
      if (measuredMs !== null && ms * LEAST_REFRESHES > measuredMs)
        return `a trial is measured for ${formatDuration(measuredMs)}, which sees fewer than ${LEAST_REFRESHES} refreshes of it: more time is needed`;
      return target.serverless && ms < 5000 ? 'Serverless refreshes every 5 s at most' : undefined;
    };
    const look = settingLook(
      context,
      'refresh_interval',
      '1s',
      present === null
        ? []
        : [1000, 5000, 30_000]
            .filter((ms) => ms > present * 1.5)
            .map((ms) => ({ value: `${ms / 1000}s`, expected: gain(ms), left: whyNot(ms) })),
    );
    return { ...look, present: present === null ? 'never' : look.present };
  },
};

const shards: Knob = {
  name: 'shards',
  title: 'Primary shards',
  costs:
    'Fewer shards grow larger, and one shard uses the cores of one node for a search; more of them cost memory and many small requests.',
  source: 'azure-shards, azure-queries-only-shards',
  helps: ['throughput', 'cost', 'search-p95', 'bytes'],
  unfit: ofOwnIndex,
  look: (context) => {
    const { target, goal } = context;
    const present = shardsOf(settingsOf(context));
    const nodes = target.dataNodes ?? 1;
    const cores = target.cores ?? 4;
    const gain = (to: number): number => {
      if (goal === 'bytes') return to < present ? 1.03 : 1;
      if (to < present) return 1 + 0.1 * Math.min(4, present / Math.max(to, nodes) - 1);
      return to <= nodes ? Math.min(2, to / present) : 1.02;
    };
    const tried = new Set<number>();
    if (present > nodes) tried.add(nodes);
    if (present > nodes * 4) tried.add(nodes * 2);
    if (present < nodes) tried.add(nodes);
    if (present === nodes && cores > 2) tried.add(nodes * 2);
    return settingLook(
      context,
      'number_of_shards',
      '1',
      [...tried].map((to) => ({ value: to, expected: gain(to) })),
    );
  },
};

const clients: Knob = {
  name: 'clients',
  title: 'Clients that send bulks at the same time',
  costs: 'More clients wait longer for each answer and leave less for searches.',
  source: 'azure-clients; logsearch-scaling',
  helps: ['throughput', 'cost', 'search-p95'],
  unfit: (context) =>
    'constant-clients' in (ingestTask(context)?.executor ?? {})
      ? ''
      : 'the load is not given by a number of clients',
  look: (context) => {
    const task = ingestTask(context)!;
    const { executor } = task;
    const now = executor['constant-clients']?.clients ?? 1;
    const path = `tasks.${task.name}.executor.constant-clients.clients`;
    const cores = (context.target.cores ?? 2) * (context.target.dataNodes ?? 1);
    const sizes = context.goal === 'search-p95' ? [Math.floor(now / 2)] : [now * 2, now * 4];
    const gain = (to: number): number =>
      context.goal === 'search-p95'
        ? 1.1
        : 1 + 0.3 * Math.max(0.05, 1 - now / cores) * (to > now * 2 ? 1.05 : 1);
    return {
      present: plural(now, 'client'),
      levels: { [path]: now },
      proposals: sizes
        .filter((to) => to >= 1 && to <= 256)
        .map((to) => ({ levels: { [path]: to }, value: plural(to, 'client'), expected: gain(to) })),
      left: [],
    };
  },
};

const replicas: Knob = {
  name: 'replicas',
  title: 'Copies beside each primary shard',
  costs: 'Fewer copies: a lost node may take documents with it, and there are fewer shards to search.',
  source: 'azure-replicas, azure-queries-only-replicas',
  helps: ['throughput', 'cost', 'search-p95'],
  unfit: ofOwnIndex,
  look: (context) => {
    const { goal, target, allow } = context;
    const now = replicasOf(settingsOf(context));
    const nodes = target.dataNodes ?? 1;
    // With one node a copy is assigned to nobody: nothing would change but the colour of the cluster.
    const alone =
      nodes < 2 ? 'there is one data node, so copies are not assigned and cost nothing' : undefined;
    const fewer =
      alone ?? (allow.includes('copies') ? undefined : 'fewer copies were not allowed (--allow copies)');
    const tried =
      goal === 'search-p95'
        ? now + 1 < nodes
          ? [{ value: now + 1, expected: 1.15 }]
          : []
        : now > 0
          ? [{ value: 0, expected: 1 + 0.5 * now, left: fewer }]
          : [];
    return settingLook(context, 'number_of_replicas', '1', tried);
  },
};

const hasTimestamp = (context: KnobContext): boolean => {
  const properties = plainValue(mappingOf(context.definition))['properties'] as
    | Record<string, unknown>
    | undefined;
  return properties?.['@timestamp'] !== undefined;
};

const mode: Knob = {
  name: 'mode',
  title: 'Index mode',
  costs:
    'In logsdb the source is rebuilt from the fields when it is asked for, documents are sorted by host and time, and indexing takes more CPU.',
  source: 'Elasticsearch: Logs data streams',
  helps: ['bytes', 'cost'],
  unfit: (context) =>
    ofOwnIndex(context) ||
    (!isAtLeast(context.target.version, 8, 17)
      ? `Elasticsearch ${context.target.version} has no logsdb mode; 8.17 has`
      : hasTimestamp(context)
        ? ''
        : 'its documents have no @timestamp field, which logsdb needs'),
  look: (context) =>
    settingLook(context, 'mode', 'standard', [
      { value: 'logsdb', expected: context.goal === 'bytes' ? 1.6 : 1.1 },
    ]),
};

const codec: Knob = {
  name: 'codec',
  title: 'Compression of stored fields',
  costs: 'Smaller stored fields take more CPU to write and to read.',
  source: 'Elasticsearch: index.codec',
  helps: ['bytes', 'cost', 'throughput'],
  unfit: ofOwnIndex,
  look: (context) =>
    settingLook(
      context,
      'codec',
      'default',
      context.goal === 'throughput'
        ? [{ value: 'default', expected: 1.04 }]
        : [{ value: 'best_compression', expected: context.goal === 'bytes' ? 1.25 : 1.05 }],
    ),
};

const mergePolicy: Knob = {
  name: 'merge-policy',
  title: 'Segments of a size before they are merged',
  costs: 'More segments are left to search, and more bytes of deleted documents.',
  source: 'logsearch-merges; Elasticsearch: index.merge.policy.segments_per_tier',
  helps: ['throughput', 'cost'],
  unfit: ofOwnIndex,
  look: (context) =>
    settingLook(context, 'merge.policy.segments_per_tier', '8', [{ value: 20, expected: 1.04 }]),
};

const mergeThreads: Knob = {
  name: 'merge-threads',
  title: 'Threads that merge one shard',
  costs: 'Fewer threads fall behind under much load; more of them take cores from indexing and searching.',
  source: 'Elasticsearch: index.merge.scheduler.max_thread_count',
  helps: ['throughput', 'cost', 'search-p95'],
  unfit: ofOwnIndex,
  look: (context) => {
    const cores = context.target.cores ?? 4;
    const usual = Math.max(1, Math.min(4, Math.floor(cores / 2)));
    const to = usual > 1 ? 1 : 2;
    return settingLook(context, 'merge.scheduler.max_thread_count', String(usual), [
      { value: to, expected: 1.03 },
    ]);
  },
};

const durability: Knob = {
  name: 'durability',
  title: 'When the translog is written to disk',
  costs: 'With async, what was acknowledged in the last 5 s is lost where a node fails.',
  source: 'Elasticsearch: index.translog.durability',
  helps: ['throughput', 'cost'],
  unfit: ofOwnIndex,
  look: (context) => {
    const docs = ingestTask(context)?.ingest?.bulk.docs ?? 1000;
    return settingLook(context, 'translog.durability', 'request', [
      {
        value: 'async',
        expected: docs < 200 ? 1.3 : 1.08,
        left: context.allow.includes('durability')
          ? undefined
          : 'less durability was not allowed (--allow durability)',
      },
    ]);
  },
};

const flush: Knob = {
  name: 'flush',
  title: 'Size of the translog before a flush',
  costs: 'A larger translog takes longer to be replayed when a node comes back.',
  source: 'Elasticsearch: index.translog.flush_threshold_size',
  helps: ['throughput', 'cost'],
  unfit: ofOwnIndex,
  look: (context) =>
    // Elasticsearch 8 has 10gb or 1% of the disk where nothing is written.
    settingLook(
      context,
      'translog.flush_threshold_size',
      '10gb',
      settingsOf(context)['translog.flush_threshold_size'] === undefined
        ? []
        : [{ value: '10gb', expected: 1.05 }],
    ),
};

const buffer: Knob = {
  name: 'buffer',
  title: 'Memory for documents that are not yet in a segment',
  costs: 'Memory that caches of searches do not have.',
  source: 'Elasticsearch: indices.memory.index_buffer_size',
  helps: ['throughput', 'cost'],
  unfit: () =>
    'nodes read it when they start. Dyno starts some with environment.index-buffer, but one cluster after another, so a drift between them would pass for its effect: an experiment with it as a factor, more than once, tells more',
  look: () => ({ present: '10%', levels: {}, proposals: [], left: [] }),
};

export const KNOBS: readonly Knob[] = [
  bulk,
  refresh,
  shards,
  clients,
  replicas,
  mode,
  codec,
  mergePolicy,
  mergeThreads,
  durability,
  flush,
  buffer,
];

/** A value of a knob in a tuning. */
export interface Candidate {
  /** `bulk: 1,000 documents`; unique in a tuning. */
  id: string;
  knob: string;
  title: string;
  from: string;
  value: string;
  levels: Readonly<Record<string, unknown>>;
  /** Levels of the present value, where it is written. */
  present: Readonly<Record<string, unknown>>;
  expected: number;
  costs: string;
}

export interface Untried {
  title: string;
  /** '' for the knob as a whole. */
  value: string;
  why: string;
}

/** Goals as they stand in a sentence. */
const GOAL_WORDS: Record<Goal, string> = {
  throughput: 'throughput',
  'search-p95': 'the response times of searches',
  bytes: 'bytes on disk',
  cost: 'cost',
};

/** What may be tried, the largest expected gain first, and what may not. */
export function candidatesOf(context: KnobContext): { candidates: Candidate[]; untried: Untried[] } {
  const candidates: Candidate[] = [];
  const untried: Untried[] = [];
  for (const knob of KNOBS) {
    const { title } = knob;
    if (!knob.helps.includes(context.goal)) {
      untried.push({
        title,
        value: '',
        why: `nothing is known by which it would help ${GOAL_WORDS[context.goal]}`,
      });
      continue;
    }
    const unfit = knob.unfit(context);
    if (unfit !== '') {
      untried.push({ title, value: '', why: unfit });
      continue;
    }
    const { present, levels, proposals, left } = knob.look(context);
    untried.push(...left.map(({ value, why }) => ({ title, value, why })));
    if (proposals.length === 0 && left.length === 0)
      untried.push({
        title,
        value: '',
        why: `it is ${present} already, and nothing else is expected to help`,
      });
    for (const { levels: to, value, expected } of proposals)
      candidates.push({
        id: `${knob.name}: ${value}`,
        knob: knob.name,
        title,
        from: present,
        value,
        levels: to,
        present: levels,
        expected,
        costs: knob.costs,
      });
  }
  return { candidates: inTurn(candidates), untried };
}

/** The best value of each knob by its expected gain, then their second ones: where time is short, more knobs are better than more values. */
function inTurn(candidates: readonly Candidate[]): Candidate[] {
  const byGain = [...candidates].sort((a, b) => b.expected - a.expected);
  const place = ({ knob }: Candidate, at: number): number =>
    byGain.slice(0, at).filter((other) => other.knob === knob).length;
  return byGain
    .map((candidate, at) => ({ candidate, turn: place(candidate, at) }))
    .sort((a, b) => a.turn - b.turn || b.candidate.expected - a.candidate.expected)
    .map(({ candidate }) => candidate);
}

/** Measured time that a definition's trials have, ms; null where documents are counted. */
export const measuredMsOf = ({ measure }: Definition): number | null =>
  measure.documents === undefined && measure.duration !== undefined ? durationMs(measure.duration) : null;
