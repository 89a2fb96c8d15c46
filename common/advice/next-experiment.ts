/**
 * What to measure next, from what was the limit of a cell: what cannot help while that is the limit, and what may. Nothing is
 * promised: the experiment is to find it out.
 */
import type { LimitName } from '../analysis/limiting-factor';
import { refreshMsOf, replicasOf } from '../elasticsearch/settings';
import type { Definition } from '../experiment/definition';
import { formatYaml } from '../experiment/document';
import { withFlatSettings } from './knobs';
import { withLevels } from './template';

export interface NextExperiment {
  /** A sentence: the limit, what brings nothing, what to try. */
  text: string;
  /** Null where what helps is nothing that an experiment varies. */
  factor: { path: string; levels: unknown[] } | null;
}

/** What of a cell an experiment may vary. */
interface Varied {
  settings: Readonly<Record<string, unknown>>;
  ownIndex: boolean;
  ingest: Definition['tasks'][number] | undefined;
  /** The first task that is driven by a number of clients. */
  closed: Definition['tasks'][number] | undefined;
}

type Factor = NonNullable<NextExperiment['factor']>;
interface Try {
  words: string;
  factor: Factor;
}

const setting = (name: string, levels: unknown[]): Factor => ({ path: `index.settings.${name}`, levels });

const LONG_REFRESH_MS = 30_000;

const longerRefresh = ({ ownIndex, ingest, settings }: Varied): Try | null => {
  const now = refreshMsOf(settings);
  if (!ownIndex || ingest === undefined || now === null || now >= LONG_REFRESH_MS) return null;
  return {
    words: 'a longer refresh interval',
    factor: setting('refresh_interval', [settings['refresh_interval'] ?? '1s', '30s']),
  };
};

const bulkBy =
  (times: number) =>
  ({ ingest }: Varied): Try | null => {
    const docs = ingest?.ingest?.bulk.docs;
    if (docs === undefined) return null;
    const to = Math.round(docs * times);
    if (to < 10 || to > 20_000) return null;
    return {
      words: times > 1 ? 'larger bulks' : 'smaller bulks',
      factor: { path: `tasks.${ingest!.name}.ingest.bulk.docs`, levels: [docs, to] },
    };
  };

const clientsBy =
  (times: readonly number[], words: string) =>
  ({ closed }: Varied): Try | null => {
    const now = closed?.executor['constant-clients']?.clients;
    if (now === undefined) return null;
    const levels = [...new Set(times.map((by) => Math.round(now * by)))].filter(
      (to) => to >= 1 && to <= 1000,
    );
    return levels.length < 2
      ? null
      : { words, factor: { path: `tasks.${closed!.name}.executor.constant-clients.clients`, levels } };
  };

const fewerCopies = ({ ownIndex, settings }: Varied): Try | null =>
  ownIndex && replicasOf(settings) > 0
    ? { words: 'fewer copies', factor: setting('number_of_replicas', [replicasOf(settings), 0]) }
    : null;

const compression = ({ ownIndex, settings }: Varied): Try | null =>
  ownIndex && settings['codec'] === 'best_compression'
    ? { words: 'compression that costs less CPU', factor: setting('codec', ['best_compression', 'default']) }
    : null;

const mergesLess = ({ ownIndex, ingest }: Varied): Try | null =>
  ownIndex && ingest !== undefined
    ? {
        words: 'a merge policy that merges less',
        factor: setting('merge.policy.segments_per_tier', [10, 20]),
      }
    : null;

const mergeThreads = ({ ownIndex, ingest }: Varied): Try | null =>
  ownIndex && ingest !== undefined
    ? { words: 'more threads that merge', factor: setting('merge.scheduler.max_thread_count', [1, 2, 4]) }
    : null;

interface Rule {
  /** The limit, and what brings nothing. */
  says: string;
  /** In the order in which they are expected to help. */
  tries: readonly ((varied: Varied) => Try | null)[];
  /** Where none of them is left. */
  otherwise: string;
}

const RULES: Readonly<Record<Exclude<LimitName, 'none found'>, Rule>> = {
  generator: {
    says: 'The load generator was the limit, so this is not the target’s best',
    tries: [],
    otherwise: 'measure with more load threads, or with several machines (load.seats)',
  },
  parsing: {
    says: 'Parsing was the limit, before anything was sent: more clients bring nothing',
    tries: [],
    otherwise: 'give the parser more threads, or parse with a simpler pattern',
  },
  gc: {
    says: 'Garbage collection was the limit: more clients bring more of it',
    tries: [bulkBy(1 / 4), clientsBy([1, 1 / 2], 'fewer clients')],
    otherwise: 'give the nodes a larger heap',
  },
  'disk wait': {
    says: 'The disks were the limit: more clients or shards bring nothing',
    tries: [longerRefresh, mergesLess, fewerCopies],
    otherwise: 'try faster disks, or more nodes',
  },
  cpu: {
    says: 'The CPU was the limit: more clients or shards bring nothing',
    tries: [bulkTooSmall, longerRefresh, compression, mergesLess],
    otherwise: 'try more nodes, or more cores',
  },
  network: {
    says: 'The network was the limit: more clients bring nothing',
    tries: [fewerCopies],
    otherwise: 'try a faster network, or load from within it',
  },
  'merge throttling': {
    says: 'Merges fell behind, and Elasticsearch held indexing back',
    tries: [mergeThreads, longerRefresh],
    otherwise: 'try faster disks',
  },
  'indexing pressure': {
    says: 'Bulks in flight filled the memory that is set aside for them: more clients bring refusals',
    tries: [clientsBy([1, 1 / 2], 'fewer clients'), bulkBy(1 / 4)],
    otherwise: 'give the nodes a larger heap',
  },
  'write queue': {
    says: 'The write queue was full: more clients bring refusals',
    tries: [clientsBy([1, 1 / 2], 'fewer clients'), bulkBy(4)],
    otherwise: 'offer less, or try more nodes',
  },
  'search queue': {
    says: 'The search queue was full: more clients bring refusals',
    tries: [clientsBy([1, 1 / 2], 'fewer clients')],
    otherwise: 'offer less, or try more nodes or copies',
  },
};

const SMALL_BULK = 500;

/** Where each document carries much of its bulk's own work. */
function bulkTooSmall(varied: Varied): Try | null {
  return (varied.ingest?.ingest?.bulk.docs ?? SMALL_BULK) < SMALL_BULK ? bulkBy(10)(varied) : null;
}

/** `cell`: the definition with the cell's levels put in. Null where there is nothing to say. */
function nextOf(limit: LimitName, cell: Definition): NextExperiment | null {
  const varied: Varied = {
    settings: withFlatSettings(cell).index.settings,
    ownIndex: cell.index.existing === undefined,
    ingest: cell.tasks.find(({ ingest }) => ingest),
    closed: cell.tasks.find(({ executor }) => executor['constant-clients'] !== undefined),
  };
  if (limit === 'none found') {
    const more = clientsBy([1, 2, 4], 'more clients')(varied);
    return more && { text: 'No resource was at its limit: try more clients.', factor: more.factor };
  }
  const { says, tries, otherwise } = RULES[limit];
  const found = tries.map((look) => look(varied)).find((one) => one !== null);
  return found === undefined
    ? { text: `${says}; ${otherwise}.`, factor: null }
    : { text: `${says}; try ${found.words}.`, factor: found.factor };
}

/** Of a cell of an experiment, by what was its limit; null where there is nothing to say. */
export function nextExperiment(
  definition: Definition,
  levels: Readonly<Record<string, unknown>>,
  limit: LimitName,
): NextExperiment | null {
  try {
    return nextOf(limit, withLevels(definition, levels));
  } catch {
    // Levels of an older version that this one does not take: nothing is proposed.
    return null;
  }
}

const metricOf = ({ name, ingest }: Definition['tasks'][number]): string =>
  ingest === undefined ? `${name}.latency.p95` : `${name}.throughput`;

/** The experiment as text, to open in the editor: the cell as it was, and the factor alone varied. */
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
