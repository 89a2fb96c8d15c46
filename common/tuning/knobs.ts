/**
 * The knobs of a tuning. A knob is a setting that a tuning can change. For each knob, this file contains the values to try near the current
 * value, the expected gain and the costs.
 *
 * The expected gains only determine the order of the experiments. They are rough estimates from the published benchmarks that come with
 * Dyno (named at each knob), and from Elasticsearch's guides to indexing speed, search speed and disk usage. They are never shown as a
 * result.
 */
import {
  refreshMsOf,
  replicasOf,
  shardsOf,
  flattenSettings,
  type FlatSettings,
} from '../elasticsearch/settings';
import { engineOf, engineWithVersion, isSince, type Engine } from '../elasticsearch/engine';
import { mappingOf } from '../experiment/cell-definition';
import type { Definition } from '../experiment/definition';
import { plainValue, shownWhole } from '../json/exact';
import { durationMs } from '../units/duration';
import { formatDuration, plural } from '../units/format';
import type { Concession, Goal } from './choices';

export const CONCESSION_TITLES: Record<Concession, string> = {
  durability:
    'The translog may be written every 5 s: if a node fails, documents acknowledged since then are lost',
  copies: 'There may be fewer copies: if a node is lost, documents may be lost with it',
};

/** Facts about the target. */
export interface TargetKnown {
  /** Number of data nodes; null if the cluster does not report it. */
  dataNodes: number | null;
  /** Number of cores of the smallest data node; null if unknown. */
  cores: number | null;
  /** Engine of the target; absent for Elasticsearch. */
  engine?: Engine;
  /** Version of the target, such as `9.5.3`. */
  version: string;
  serverless: boolean;
}

export interface KnobContext {
  /** Definition with flat index settings: see {@link withFlatSettings}. */
  definition: Definition;
  goal: Goal;
  target: TargetKnown;
  allow: readonly Concession[];
  /** Maximum time from the indexing of a document until searches must find it, in ms. */
  freshnessMs: number;
  /** Duration of the measured phase of a trial, in ms. Null if the phase ends after a number of documents. */
  measuredMs: number | null;
}

/** A value of a setting that a tuning may try. */
export interface Proposal {
  /** Levels of factors that set this value: the key is a path in the definition, as in `factors`. */
  levels: Readonly<Record<string, unknown>>;
  /** The value for display: `1000 documents`. */
  value: string;
  /** Factor by which the goal may improve with this value. It is only used for the order in which values are tried. */
  expected: number;
}

export interface KnobLook {
  /** The current value of the setting, for display. */
  present: string;
  /** Levels of factors that set the current value; empty if the current value is a default. */
  levels: Readonly<Record<string, unknown>>;
  proposals: Proposal[];
  /** Values that this tuning does not try, with the reason. */
  left: { value: string; why: string }[];
}

export interface Knob {
  name: string;
  title: string;
  /** One sentence about the costs and risks of changing the setting. */
  costs: string;
  /** Publication or guide that is the source of the expected gain. */
  source: string;
  helps: readonly Goal[];
  /** Returns the reason why the setting cannot be tuned here; '' if it can be tuned. */
  unfit: (context: KnobContext) => string;
  look: (context: KnobContext) => KnobLook;
}

/** Returns the definition with flat names of index settings. In this form, each setting has exactly one path. */
export const withFlatSettings = (definition: Definition): Definition => ({
  ...definition,
  index: { ...definition.index, settings: flattenSettings(definition.index.settings) },
});

const settingsOf = ({ definition }: KnobContext): FlatSettings => definition.index.settings;

const ingestTask = ({ definition }: KnobContext): Definition['tasks'][number] | undefined =>
  definition.tasks.find(({ ingest }) => ingest);

const pathOf = (setting: string): string => `index.settings.${setting}`;

/**
 * Returns what a tuning can do with one index setting: the current value, the values to try, and the values that are not tried. `usual`:
 * the default value of Elasticsearch.
 */
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
    ? 'the data existed before and is not changed'
    : target.serverless
      ? 'Serverless manages it'
      : '';

/** Bulk sizes to try, in documents. They come from the preset `azure-bulk-size` and from common advice. */
const BULKS = [100, 500, 1000, 2500, 5000, 10_000];
const LARGE_BULK = 10_000;

const bulk: Knob = {
  name: 'bulk',
  title: 'Documents in each bulk',
  costs: 'Larger bulks take longer, and use more memory of the cluster in the meantime.',
  source: 'azure-bulk-size; Elasticsearch: Tune for indexing speed, "Use bulk requests"',
  helps: ['throughput', 'cost', 'search-p95'],
  unfit: (context) => {
    const task = ingestTask(context);
    if (task?.ingest?.bulk.docs === undefined) return 'its bulks have a size in bytes, not in documents';
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

/**
 * Minimum number of refreshes in the measured phase. With fewer refreshes, the trial would measure almost the same as without refreshes.
 */
const LEAST_REFRESHES = 2;

const refresh: Knob = {
  name: 'refresh',
  title: 'Refresh interval',
  costs: 'New documents are found later, by up to the interval.',
  source: 'sematext-refresh, azure-refresh',
  helps: ['throughput', 'cost', 'search-p95'],
  unfit: ({ definition }) =>
    definition.index.existing === undefined ? '' : 'the data existed before and is not changed',
  look: (context) => {
    const { freshnessMs, measuredMs, target } = context;
    const present = refreshMsOf(settingsOf(context));
    const gain = (to: number): number =>
      present === null ? 1 : 1 + 0.12 * Math.log10(Math.max(1, to / present)) * Math.min(3, 1000 / present);
    const whyNot = (ms: number): string | undefined => {
      if (ms > freshnessMs) return `documents must be searchable within ${formatDuration(freshnessMs)}`;
      if (measuredMs !== null && ms * LEAST_REFRESHES > measuredMs)
        return `a trial is measured for ${formatDuration(measuredMs)}, with fewer than ${LEAST_REFRESHES} such refreshes: more time is needed`;
      return target.serverless && ms < 5000 ? 'Serverless refreshes at most every 5 s' : undefined;
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
    'Fewer shards grow larger, and a search in one shard uses the cores of one node. More shards cost memory and many small requests.',
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
  costs: 'More clients wait longer for each response, and leave less capacity for searches.',
  source: 'azure-clients; logsearch-scaling',
  helps: ['throughput', 'cost', 'search-p95'],
  unfit: (context) =>
    'constant-clients' in (ingestTask(context)?.executor ?? {})
      ? ''
      : 'the load is not defined by a number of clients',
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
  title: 'Replicas of each primary shard',
  costs:
    'Fewer replicas: if a node is lost, documents may be lost with it, and there are fewer shards to search.',
  source: 'azure-replicas, azure-queries-only-replicas',
  helps: ['throughput', 'cost', 'search-p95'],
  unfit: ofOwnIndex,
  look: (context) => {
    const { goal, target, allow } = context;
    const now = replicasOf(settingsOf(context));
    const nodes = target.dataNodes ?? 1;
    // On a single node, replicas cannot be assigned, so changing their number would only affect the health of the cluster.
    const alone =
      nodes < 2 ? 'there is one data node, so replicas are not assigned and cost nothing' : undefined;
    const fewer =
      alone ?? (allow.includes('copies') ? undefined : 'fewer replicas were not allowed (--allow copies)');
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
    'In logsdb mode the source is rebuilt from the fields on request, documents are sorted by host and time, and indexing takes more CPU.',
  source: 'Elasticsearch: Logs data streams',
  helps: ['bytes', 'cost'],
  unfit: (context) =>
    ofOwnIndex(context) ||
    (engineOf(context.target) !== 'elasticsearch' || !isSince(context.target.version, '8.17')
      ? `${engineWithVersion(context.target)} has no logsdb mode; it needs Elasticsearch 8.17 or later`
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
  costs: 'Better compression takes more CPU to write and to read.',
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
  title: 'Segments of similar size before they are merged',
  costs: 'Searches have more segments to read, and deleted documents use more space.',
  source: 'logsearch-merges; Elasticsearch: index.merge.policy.segments_per_tier',
  helps: ['throughput', 'cost'],
  unfit: ofOwnIndex,
  look: (context) =>
    settingLook(context, 'merge.policy.segments_per_tier', '8', [{ value: 20, expected: 1.04 }]),
};

const mergeThreads: Knob = {
  name: 'merge-threads',
  title: 'Merge threads per shard',
  costs: 'Fewer threads fall behind under high load; more threads take cores from indexing and searching.',
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
  costs: 'With async, documents acknowledged in the last 5 s are lost if a node fails.',
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
  costs: 'A larger translog takes longer to replay when a node restarts.',
  source: 'Elasticsearch: index.translog.flush_threshold_size',
  helps: ['throughput', 'cost'],
  unfit: ofOwnIndex,
  look: (context) =>
    // The default of Elasticsearch 8 is 10gb or 1% of the disk.
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
  costs: 'Caches of searches get less memory.',
  source: 'Elasticsearch: indices.memory.index_buffer_size',
  helps: ['throughput', 'cost'],
  unfit: () =>
    'nodes read it when they start. Dyno can start nodes with environment.index-buffer, but one cluster after another, so a drift between them would look like its effect: use an experiment with it as a factor, and repeat it',
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

/** A value of a setting that a tuning tries. */
export interface Candidate {
  /** Id that is unique in a tuning, such as `bulk: 1,000 documents`. */
  id: string;
  knob: string;
  title: string;
  from: string;
  value: string;
  levels: Readonly<Record<string, unknown>>;
  /** Levels of factors that set the current value; empty if the current value is a default. */
  present: Readonly<Record<string, unknown>>;
  expected: number;
  costs: string;
}

export interface Untried {
  title: string;
  /** The value that is not tried, for display; '' if the setting is not tried at all. */
  value: string;
  why: string;
}

/** Goals in words, for use within a sentence. */
const GOAL_WORDS: Record<Goal, string> = {
  throughput: 'throughput',
  'search-p95': 'the response times of searches',
  bytes: 'bytes on disk',
  cost: 'cost',
};

/** Returns two lists: the values to try, with the largest expected gain first, and the values that are not tried, with the reason. */
export function candidatesOf(context: KnobContext): { candidates: Candidate[]; untried: Untried[] } {
  const candidates: Candidate[] = [];
  const untried: Untried[] = [];
  for (const knob of KNOBS) {
    const { title } = knob;
    if (!knob.helps.includes(context.goal)) {
      untried.push({
        title,
        value: '',
        why: `it is not known to improve ${GOAL_WORDS[context.goal]}`,
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
        why: `it is already ${present}, and no other value is expected to help`,
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

/**
 * Returns the candidates in the order in which they are tried: first the best value of each setting, then the second-best values. With
 * little time, it is better to try more settings than more values of a setting.
 */
function inTurn(candidates: readonly Candidate[]): Candidate[] {
  const byGain = [...candidates].sort((a, b) => b.expected - a.expected);
  const place = ({ knob }: Candidate, at: number): number =>
    byGain.slice(0, at).filter((other) => other.knob === knob).length;
  return byGain
    .map((candidate, at) => ({ candidate, turn: place(candidate, at) }))
    .sort((a, b) => a.turn - b.turn || b.candidate.expected - a.candidate.expected)
    .map(({ candidate }) => candidate);
}

/** Returns the duration of the measured phase of a definition's trials, in ms. Null if the phase ends after a number of documents. */
export const measuredMsOf = ({ measure }: Definition): number | null =>
  measure.documents === undefined && measure.duration !== undefined ? durationMs(measure.duration) : null;
