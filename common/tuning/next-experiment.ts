/**
 * Suggests the next experiment after the trials of a cell (combination of factor levels). The suggestion depends on the resource that was
 * the bottleneck, and on the work of the nodes. The text names changes that cannot help as long as this resource is the bottleneck, and
 * changes that may help. A change is suggested only if the trials contain work that it would save. Only a measurement can show whether the
 * change really helps.
 */
import type { CellLimit, LimitName } from '../analysis/limiting-factor';
import { OTHER_WORK_FROM, type Resource } from '../analysis/limiting-factor-rules';
import { refreshMsOf, replicasOf } from '../elasticsearch/settings';
import { factorLevels, factorPaths, showLevel } from '../experiment/cells';
import type { Definition } from '../experiment/definition';
import { formatYaml } from '../experiment/document';
import { shardsIn } from '../measurement/server';
import { formatPercent } from '../units/format';
import { withFlatSettings } from './knobs';
import { withLevels } from './template';

export interface NextExperiment {
  /** One sentence about the limit, the changes that do not help, and the changes to try. */
  text: string;
  /** Short suggestion: `larger bulks`. */
  short: string;
  /** Factor of the suggested experiment; null if no factor of an experiment can make the suggested change. */
  factor: { path: string; levels: unknown[] } | null;
}

/** Work of the nodes in a trial, as a mean over trials. Times are in ms, summed over threads. */
interface Work {
  indexing: { docs: number; timeMs: number };
  search: { queryMs: number; fetchMs: number };
  merges: { count: number; timeMs: number };
  refresh: { count: number; timeMs: number };
  flush: { timeMs: number };
  /** Shares of CPU time on the busiest machine that other processes and the load generator used, in [0, 1]. A share is null if unknown. */
  busiest: { othersCpuShare: number | null; generatorCpuShare: number | null };
}

/** The values of a cell (combination of factor levels) on which suggestions are based. Each cell of a report contains them. */
export interface CellSeen {
  levels: Readonly<Record<string, unknown>>;
  limit: Pick<CellLimit, 'name' | 'also' | 'ruledOut' | 'unknown'> | null;
  server: Work | null;
  /** Distribution of the shards over the nodes, such as `1-1-1`. `primaries`: only primary shards. `shards`: primaries and replicas. */
  state: { primaries: readonly string[]; shards: readonly string[] } | null;
}

/** Facts about the machine of the load generator, as in the provenance of a run. */
export interface PlaceSeen {
  sharedMachine: boolean;
  generator: { cores: number; workers: number };
}

type Task = Definition['tasks'][number];

/** Settings that a suggested experiment can vary, and the measurements on which the suggestion is based. */
interface Seen {
  settings: Readonly<Record<string, unknown>>;
  ownIndex: boolean;
  ingest: Task | undefined;
  /** Tasks with a fixed number of clients. */
  closed: readonly Task[];
  /** Work of the nodes in the trials, as a mean. If it is unknown, this is null, and suggestions that depend on it are left out. */
  work: Work | null;
  /** Whether replicas were assigned. */
  hasCopies: boolean;
  isAlsoLimit: (resource: Resource) => boolean;
  isRuledOut: (resource: Resource) => boolean;
  place: PlaceSeen | null;
}

type Factor = NonNullable<NextExperiment['factor']>;
interface Try {
  words: string;
  factor: Factor;
}
type Look = (seen: Seen) => Try | null;

const setting = (name: string, levels: unknown[]): Factor => ({ path: `index.settings.${name}`, levels });

/** Minimum share of the nodes' work that a suggested change must be able to save. It equals the default margin of a comparison. */
const WORTH = 0.05;

const shareOf = (work: Work, part: 'merges' | 'refresh'): number => {
  const { indexing, search, merges, refresh, flush } = work;
  const all =
    indexing.timeMs + search.queryMs + search.fetchMs + merges.timeMs + refresh.timeMs + flush.timeMs;
  return all === 0 ? 0 : work[part].timeMs / all;
};

const didMuch = (work: Work | null, part: 'merges' | 'refresh'): work is Work =>
  work !== null && work[part].count > 0 && shareOf(work, part) >= WORTH;

const indexed = ({ ingest, work }: Seen): boolean =>
  ingest !== undefined && work !== null && work.indexing.docs > 0;

const LONG_REFRESH_MS = 30_000;

const longerRefresh: Look = (seen) => {
  const { ownIndex, settings, work } = seen;
  const now = refreshMsOf(settings);
  if (!ownIndex || !indexed(seen) || now === null || now >= LONG_REFRESH_MS) return null;
  if (!didMuch(work, 'refresh')) return null;
  return {
    words: 'a longer refresh interval',
    factor: setting('refresh_interval', [settings['refresh_interval'] ?? '1s', '30s']),
  };
};

const bulkBy =
  (times: number): Look =>
  (seen) => {
    const { ingest } = seen;
    const docs = ingest?.ingest?.bulk.docs;
    if (docs === undefined || !indexed(seen)) return null;
    const to = Math.round(docs * times);
    if (to < 10 || to > 20_000) return null;
    return {
      words: times > 1 ? 'larger bulks' : 'smaller bulks',
      factor: { path: `tasks.${ingest!.name}.ingest.bulk.docs`, levels: [docs, to] },
    };
  };

/** Suggests other numbers of clients. `which`: the tasks whose requests caused the bottleneck. */
const clientsBy =
  (times: readonly number[], words: string, which: (task: Task) => boolean = () => true): Look =>
  ({ closed }) => {
    const task = closed.find(which);
    const now = task?.executor['constant-clients']?.clients;
    if (now === undefined) return null;
    const levels = [...new Set(times.map((by) => Math.round(now * by)))].filter(
      (to) => to >= 1 && to <= 1000,
    );
    return levels.length < 2
      ? null
      : { words, factor: { path: `tasks.${task!.name}.executor.constant-clients.clients`, levels } };
  };

const sendsDocuments = ({ ingest }: Task): boolean => ingest !== undefined;
const HALF = [1, 1 / 2];

const fewerCopies: Look = (seen) => {
  const copies = replicasOf(seen.settings);
  return seen.ownIndex && indexed(seen) && seen.hasCopies && copies > 0
    ? { words: 'fewer replicas', factor: setting('number_of_replicas', [copies, 0]) }
    : null;
};

const compression: Look = (seen) =>
  seen.ownIndex && indexed(seen) && seen.settings['codec'] === 'best_compression'
    ? { words: 'compression that costs less CPU', factor: setting('codec', ['best_compression', 'default']) }
    : null;

const MANY_SEGMENTS = 20;

const mergesLess: Look = (seen) => {
  const now = Number(seen.settings['merge.policy.segments_per_tier'] ?? 10);
  if (!seen.ownIndex || !indexed(seen) || !(now < MANY_SEGMENTS) || !didMuch(seen.work, 'merges'))
    return null;
  return {
    words: 'a merge policy that merges less',
    factor: setting('merge.policy.segments_per_tier', [now, MANY_SEGMENTS]),
  };
};

/** Suggests more merge threads. They help if merges wait for each other. They do not help if merges wait for cores or disks. */
const mergeThreads: Look = (seen) => {
  if (!seen.ownIndex || !indexed(seen) || seen.work!.merges.count === 0) return null;
  if (seen.isAlsoLimit('cpu') || seen.isAlsoLimit('disk wait')) return null;
  const now = Number(seen.settings['merge.scheduler.max_thread_count']);
  return {
    words: 'more merge threads',
    factor: setting('merge.scheduler.max_thread_count', now >= 1 ? [now, now * 2] : [1, 2, 4]),
  };
};

const SMALL_BULK = 500;

/**
 * Suggests larger bulk requests if the current ones are small. In a small bulk request, few documents share the overhead of the request.
 */
const bulkTooSmall: Look = (seen) =>
  (seen.ingest?.ingest?.bulk.docs ?? SMALL_BULK) < SMALL_BULK ? bulkBy(10)(seen) : null;

interface Rule {
  /** Text about the bottleneck, and about changes that do not help. */
  says: string;
  /** Functions that return suggestions. The most promising suggestion comes first. */
  tries: readonly Look[];
  /** Returns the advice if no suggestion applies. */
  otherwise: (seen: Seen) => string;
}

const RULES: Readonly<Record<Exclude<LimitName, 'none found'>, Rule>> = {
  generator: {
    says: 'The load generator was the limit, so this is not the target’s best',
    tries: [],
    otherwise: ({ place }) =>
      place !== null && (place.sharedMachine || place.generator.workers >= place.generator.cores)
        ? 'generate the load on another machine, or on several (load.seats)'
        : 'measure with more load threads, or with several machines (load.seats)',
  },
  parsing: {
    says: 'Parsing was the limit, before anything was sent: more clients do not help',
    tries: [],
    otherwise: ({ isAlsoLimit }) =>
      isAlsoLimit('cpu')
        ? 'parse on a separate machine, or with a simpler pattern'
        : 'give the parser more threads, or parse with a simpler pattern',
  },
  gc: {
    says: 'Garbage collection was the limit: more clients increase it',
    tries: [bulkBy(1 / 4), clientsBy(HALF, 'fewer clients')],
    otherwise: () => 'give the nodes a larger heap',
  },
  'disk wait': {
    says: 'The disks were the limit: more clients or shards do not help',
    tries: [longerRefresh, mergesLess, fewerCopies],
    otherwise: () => 'try faster disks, or more nodes',
  },
  cpu: {
    says: 'The CPU was the limit: more clients or shards do not help',
    tries: [bulkTooSmall, longerRefresh, compression, mergesLess],
    otherwise: () => 'try more nodes, or more cores',
  },
  network: {
    says: 'The network was the limit: more clients do not help',
    tries: [fewerCopies],
    otherwise: () => 'try a faster network, or a load generator within it',
  },
  'merge throttling': {
    says: 'Merges fell behind, and Elasticsearch throttled indexing',
    tries: [mergeThreads, longerRefresh],
    otherwise: ({ isAlsoLimit, isRuledOut }) =>
      isAlsoLimit('cpu')
        ? 'try more nodes, or more cores'
        : isRuledOut('disk wait')
          ? 'try more nodes, so that each has fewer merges'
          : 'try faster disks',
  },
  'indexing pressure': {
    says: 'Bulks in flight filled the memory reserved for them: more clients cause more rejections',
    tries: [clientsBy(HALF, 'fewer clients', sendsDocuments), bulkBy(1 / 4)],
    otherwise: () => 'give the nodes a larger heap',
  },
  'write queue': {
    says: 'The write queue was full: more clients cause more rejections',
    tries: [clientsBy(HALF, 'fewer clients', sendsDocuments), bulkBy(4)],
    otherwise: () => 'offer less load, or try more nodes',
  },
  'search queue': {
    says: 'The search queue was full: more clients cause more rejections',
    tries: [clientsBy(HALF, 'fewer clients', (task) => !sendsDocuments(task))],
    otherwise: () => 'offer less load, or try more nodes or replicas',
  },
};

/**
 * Returns the advice to stop other work on the same machines first, because changed settings cannot help while the other work continues.
 * Returns null if there is little other work.
 */
function otherWork({ busiest }: Work, limit: LimitName): string | null {
  const { othersCpuShare: others, generatorCpuShare: generator } = busiest;
  if (others !== null && others > OTHER_WORK_FROM)
    return `Other processes used ${formatPercent(others)} of the CPU: stop them, or measure on machines without them, before you change anything else.`;
  if (limit === 'cpu' && generator !== null && generator > OTHER_WORK_FROM)
    return `The CPU was the limit, and the load generator used ${formatPercent(generator)} of it: generate the load on another machine, or on several (load.seats).`;
  return null;
}

/** Whether the experiment already measures all of these levels. */
function isMeasured(definition: Definition, { path, levels }: Factor): boolean {
  if (!factorPaths(definition).includes(path)) return false;
  const known = factorLevels(definition, path).map(showLevel);
  return levels.every((level) => known.includes(showLevel(level)));
}

function nextOf(definition: Definition, cell: CellSeen, place: PlaceSeen | null): NextExperiment | null {
  const { limit, server: work, state } = cell;
  if (limit === null) return null;
  const first = work && otherWork(work, limit.name);
  if (first !== null) return { text: first, short: 'free the CPU', factor: null };
  const own = withLevels(definition, cell.levels);
  const all = (layouts: readonly string[]): number =>
    layouts.reduce((sum, layout) => sum + shardsIn(layout), 0);
  const seen: Seen = {
    settings: withFlatSettings(own).index.settings,
    ownIndex: own.index.existing === undefined,
    ingest: own.tasks.find(sendsDocuments),
    closed: own.tasks.filter(({ executor }) => executor['constant-clients'] !== undefined),
    work,
    hasCopies: state !== null && all(state.shards) > all(state.primaries),
    isAlsoLimit: (resource) => limit.also.some((other) => other.resource === resource),
    isRuledOut: (resource) => limit.ruledOut.some((other) => other.resource === resource),
    place,
  };
  const firstOf = (looks: readonly Look[]): Try | undefined =>
    looks
      .map((look) => look(seen))
      .find((found): found is Try => found !== null && !isMeasured(definition, found.factor));
  if (limit.name === 'none found') {
    // The target kept up with the offered rate but has little capacity left, so more load is not suggested.
    if (limit.also.length > 0) return null;
    const more = firstOf([clientsBy([1, 2, 4], 'more clients')]);
    const which = limit.unknown.length === 0 ? 'No resource' : 'No resource that could be judged';
    return more === undefined
      ? null
      : { text: `${which} was at its limit: try ${more.words}.`, short: more.words, factor: more.factor };
  }
  const { says, tries, otherwise } = RULES[limit.name];
  const found = firstOf(tries);
  return found === undefined
    ? { text: `${says}; ${otherwise(seen)}.`, short: otherwise(seen).replace(/^try /, ''), factor: null }
    : { text: `${says}; try ${found.words}.`, short: found.words, factor: found.factor };
}

/** Returns the suggestion for a cell (combination of factor levels) of a run; null if there is no suggestion. */
export function nextExperiment(
  definition: Definition,
  cell: CellSeen,
  place: PlaceSeen | null,
): NextExperiment | null {
  try {
    return nextOf(definition, cell, place);
  } catch {
    // The levels were stored by an older version and this version does not support them, so nothing is suggested.
    return null;
  }
}

const metricOf = ({ name, ingest }: Definition['tasks'][number]): string =>
  ingest === undefined ? `${name}.latency.p95` : `${name}.throughput`;

/**
 * Returns the suggested experiment as YAML for the editor. It has the settings of the cell (`levels`), and varies only the suggested
 * factor.
 */
export function nextExperimentText(
  definition: Definition,
  levels: Readonly<Record<string, unknown>>,
  { text, factor }: NextExperiment,
): string {
  const own = withLevels(definition, levels);
  const name = `${definition.name}: next`.slice(0, 200);
  const next: Record<string, unknown> = {
    ...own,
    name,
    hypothesis: text,
    expect:
      factor === null || own.tasks[0] === undefined
        ? []
        : [`${metricOf(own.tasks[0])} ${own.tasks[0].ingest ? 'rises' : 'falls'} with ${factor.path}`],
    factors: factor === null ? {} : { [factor.path]: factor.levels },
    baseline: undefined,
    preset: undefined,
    schedule: undefined,
  };
  return formatYaml(Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined)));
}
