/**
 * Properties of a cluster that Dyno sets itself if the target is the embedded Elasticsearch: engine, number of nodes, heap, version, and
 * settings of nodes. For other targets, and in Kibana, they are ordinary labels.
 */
import { ENGINE_NAMES, ENGINES, engineOf, type Engine } from '../elasticsearch/engine';
import { stringifyExact } from '../json/exact';
import type { Problem } from '../problem';
import { parseBytes } from '../units/bytes';
import { formatBytes, plural } from '../units/format';
import { showLevel } from './cells';
import type { Definition } from './definition';
import { CLUSTER_NAMES, isOfCluster, type ClusterName } from './cluster-names';
import type { Environment } from './environment';
import { environmentsOf, blocksOf } from './environment-blocks';
import { parseAttribute, type NodeAttribute } from './node-attribute';
import type { Plan } from './plan';
import type { ResolvedCell } from './resolved-cells';

export { differsByCluster, labelsOf } from './cluster-names';

/** Settings in elasticsearch.yml or opensearch.yml, by the property of the environment that sets them. */
export const NODE_SETTINGS: Readonly<Partial<Record<ClusterName, string>>> = {
  'index-buffer': 'indices.memory.index_buffer_size',
  'write-queue': 'thread_pool.write.queue_size',
  'write-threads': 'thread_pool.write.size',
};

/** Returns the custom node attributes (`node.attr.*`) of each node, one element per node. `nodes`: number of nodes. */
export const attributesOfNodes = ({ name, values }: NodeAttribute, nodes: number): Record<string, string>[] =>
  Array.from({ length: nodes }, (_, at) => ({ [name]: values[at % values.length]! }));

/** A cluster that an environment requests. Defaults are filled in. */
export interface RequestedCluster {
  /** Engine of the cluster; absent for Elasticsearch. */
  engine?: Engine;
  /** Number of nodes with data. */
  nodes: number;
  /** Number of nodes without data, which only forward requests. Absent without such nodes. */
  clientNodes?: number;
  /** Heap of each node, in bytes. */
  heapBytes: number;
  /** Requested version. If the environment requests no version, it is null, and Dyno uses its default for the engine. */
  version: string | null;
  /** Distribution of Elasticsearch. Absent if Dyno chooses it. */
  distribution?: 'full' | 'reduced';
  /** Plugins that the definition needs and that Dyno adds. Absent without such plugins. */
  plugins?: readonly string[];
  /** Attribute of the nodes with its values; absent if the nodes have no attribute. */
  attribute?: NodeAttribute;
  /** Settings of every node, by their names in {@link NODE_SETTINGS}. Absent without such settings. */
  settings?: Readonly<Record<string, string>>;
}

const MIB = 1024 ** 2;
/**
 * Default heap of a node, in bytes. It does not depend on the number of nodes, so that environments with different numbers of nodes have
 * the same heap.
 */
const DEFAULT_HEAP = 512 * MIB;
/** Minimum heap of a node, in bytes. A node does not start with less. */
const SMALLEST_HEAP = 128 * MIB;
/** Maximum number of nodes. All nodes run on one machine, so a larger number is probably a typing error. */
const MOST_NODES = 50;
/** For each engine, the earliest version from which on Dyno can start all releases. */
const OLDEST: Readonly<Record<Engine, readonly [major: number, minor: number]>> = {
  elasticsearch: [8, 19],
  opensearch: [3, 0],
};

/** Releases before {@link OLDEST} that Dyno can start too, because it adds the modules that their archives lack. */
export const EARLIER_VERSIONS: Readonly<Record<Engine, readonly string[]>> = {
  elasticsearch: [],
  opensearch: ['2.19.6'],
};

/** Versions that Dyno starts if the environment requests no version. */
export const USUAL_VERSIONS: Readonly<Record<Engine, string>> = {
  elasticsearch: '9.5.3',
  opensearch: '3.6.0',
};

/** Returns the engine and the version of a cluster that Dyno starts. */
export function releaseOf(requested: Pick<RequestedCluster, 'engine' | 'version'>): {
  engine: Engine;
  version: string;
} {
  const engine = engineOf(requested);
  return { engine, version: requested.version ?? USUAL_VERSIONS[engine] };
}

/** Plugins that Dyno can add to the clusters that it starts, by engine and version. */
export const ADDABLE_PLUGINS: Readonly<Record<Engine, Readonly<Record<string, readonly string[]>>>> = {
  elasticsearch: {},
  opensearch: { '3.6.0': ['opensearch-knn'], '2.19.6': ['opensearch-knn'] },
};

/** Returns the plugins that Dyno can add to a version of an engine. */
export const addablePlugins = (engine: Engine, version: string): readonly string[] =>
  Object.hasOwn(ADDABLE_PLUGINS[engine], version) ? ADDABLE_PLUGINS[engine][version]! : [];

/**
 * Parses a heap size such as `512m`, `1g` or `1.5gb`, in bytes. Like the JVM, rounds down to whole mebibytes. Returns undefined if the text
 * is invalid or the heap is too small.
 */
export function parseHeap(text: string): number | undefined {
  const bytes = parseBytes(/[kmg]$/i.test(text) ? `${text}b` : text);
  const whole = Math.floor((bytes ?? 0) / MIB) * MIB;
  return whole >= SMALLEST_HEAP ? whole : undefined;
}

/** Description of the allowed heap sizes, for error messages. */
export const HEAP_FORM = 'a size from 128m, such as 512m or 1g';

/** Largest write queue of Elasticsearch: its setting is a 32-bit integer. */
const MOST_QUEUED = 2 ** 31 - 1;
const MOST_THREADS = 1000;

const isWhole = (text: string, least: number, most: number): boolean =>
  /^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most;

function isStarted(version: string, oldest: readonly [major: number, minor: number]): boolean {
  const [major, minor] = version.split('.').map(Number) as [number, number];
  return (
    /^\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(version) &&
    (major > oldest[0] || (major === oldest[0] && minor >= oldest[1]))
  );
}

const isEngine = (text: string): text is Engine => ENGINES.some((engine) => engine === text);

/** Returns the engine of an environment; Elasticsearch if the environment has no engine or an unknown one. */
const engineIn = ({ engine = '' }: Environment): Engine => (isEngine(engine) ? engine : 'elasticsearch');

const isDistribution = (text: string): text is 'full' | 'reduced' => text === 'full' || text === 'reduced';

interface Form {
  isValid: (text: string) => boolean;
  allowed: string;
}

const versionForm = (engine: Engine): Form => ({
  isValid: (text) => isStarted(text, OLDEST[engine]) || EARLIER_VERSIONS[engine].includes(text),
  allowed: [
    `a release of ${ENGINE_NAMES[engine]} from ${OLDEST[engine].join('.')}.0, such as ${USUAL_VERSIONS[engine]}`,
    ...EARLIER_VERSIONS[engine],
  ].join(', or '),
});

const FORMS: Readonly<Record<Exclude<ClusterName, 'version' | 'distribution'>, Form>> = {
  engine: { isValid: isEngine, allowed: ENGINES.join(' or ') },
  nodes: {
    isValid: (text) => isWhole(text, 1, MOST_NODES),
    allowed: `a whole number from 1 to ${MOST_NODES}`,
  },
  heap: { isValid: (text) => parseHeap(text) !== undefined, allowed: HEAP_FORM },
  'client-nodes': {
    isValid: (text) => isWhole(text, 0, MOST_NODES),
    allowed: `a whole number from 0 to ${MOST_NODES}`,
  },
  'node-attribute': {
    isValid: (text) => parseAttribute(text) !== undefined,
    allowed: 'a name and the values of the nodes in turn, such as zone=a,b',
  },
  'index-buffer': {
    isValid: (text) => {
      const percent = /^(\d+(?:\.\d+)?)%$/.exec(text)?.[1];
      return percent === undefined
        ? (parseBytes(text) ?? 0) > 0
        : Number(percent) > 0 && Number(percent) < 100;
    },
    allowed: 'a share of the heap such as 30%, or a size such as 64mb',
  },
  'write-queue': {
    isValid: (text) => isWhole(text, 1, MOST_QUEUED),
    allowed: `a whole number from 1 to ${MOST_QUEUED}`,
  },
  'write-threads': {
    isValid: (text) => isWhole(text, 1, MOST_THREADS),
    allowed: 'a whole number from 1 to one more than the cores of the machine',
  },
};

/** Returns the allowed format of a property of an environment. The formats of versions and distributions depend on `engine`. */
function formOf(name: ClusterName, engine: Engine): Form {
  if (name === 'version') return versionForm(engine);
  if (name !== 'distribution') return FORMS[name];
  return engine === 'elasticsearch'
    ? { isValid: isDistribution, allowed: 'full or reduced' }
    : { isValid: () => false, allowed: `nothing: ${ENGINE_NAMES[engine]} has one distribution` };
}

/** Returns the properties that occur in at least one environment, in the order of {@link CLUSTER_NAMES}. */
export const clusterNamesIn = (cells: readonly ResolvedCell[]): ClusterName[] =>
  CLUSTER_NAMES.filter((name) => environmentsOf(cells).some((environment) => name in environment));

/**
 * Returns whether an environment of the cells requests a cluster. If so, and if the target is the embedded Elasticsearch, all trials run on
 * clusters that Dyno starts.
 */
export const requestsClusters = (cells: readonly ResolvedCell[]): boolean => clusterNamesIn(cells).length > 0;

/** Returns a problem for each value with which no cluster can be started. */
export function checkClusters(cells: readonly ResolvedCell[]): Problem[] {
  const problems = new Map<string, Problem>();
  for (const environment of environmentsOf(cells)) {
    const engine = engineIn(environment);
    for (const [name, found] of Object.entries(environment)) {
      if (!isOfCluster(name)) continue;
      const { isValid, allowed } = formOf(name, engine);
      if (isValid(found)) continue;
      const path = `environment.${name}`;
      const message = `${ENGINE_NAMES[engine]} cannot be started with this value`;
      problems.set(`${path} ${found}`, {
        code: 'environment.cluster',
        path,
        message,
        found,
        allowed,
      });
    }
  }
  return [...problems.values()];
}

/** Returns the cluster that an environment requests. {@link checkClusters} must have found no problem. */
export function requestedCluster(environment: Environment): RequestedCluster {
  const {
    nodes,
    heap,
    version,
    distribution = '',
    'client-nodes': clients = '0',
    'node-attribute': written,
  } = environment;
  const attribute = written === undefined ? undefined : parseAttribute(written);
  const settings = Object.entries(NODE_SETTINGS).flatMap(([name, setting]) =>
    environment[name] === undefined ? [] : [[setting, environment[name]]],
  );
  const engine = engineIn(environment);
  return {
    ...(engine === 'elasticsearch' ? {} : { engine }),
    nodes: nodes === undefined ? 1 : Number(nodes),
    heapBytes: heap === undefined ? DEFAULT_HEAP : parseHeap(heap)!,
    version: version ?? null,
    ...(isDistribution(distribution) ? { distribution } : {}),
    ...(Number(clients) > 0 ? { clientNodes: Number(clients) } : {}),
    ...(attribute ? { attribute } : {}),
    ...(settings.length > 0 ? { settings: Object.fromEntries(settings) as Record<string, string> } : {}),
  };
}

/** Returns the number of all nodes, with and without data. */
export const allNodes = ({
  nodes,
  clientNodes = 0,
}: Pick<RequestedCluster, 'nodes' | 'clientNodes'>): number => nodes + clientNodes;

/**
 * Describes a cluster in words: `3 nodes of Elasticsearch 9.5.3, heap 512 MB each`. `own`: version of the cluster if the environment
 * requests no version.
 */
export function describeCluster(
  { engine, nodes, clientNodes = 0, heapBytes, version, distribution, plugins }: RequestedCluster,
  own = '',
): string {
  const clients = clientNodes === 0 ? '' : ` and ${plural(clientNodes, 'client node')}`;
  const found = version ?? own;
  const ofEngine = engine ?? (found === '' ? undefined : 'elasticsearch');
  const product =
    ofEngine === undefined ? '' : ` of ${ENGINE_NAMES[ofEngine]}${found === '' ? '' : ` ${found}`}`;
  const kind = distribution === undefined ? '' : ` (${distribution})`;
  const more = plugins === undefined ? '' : ` with ${plugins.join(' and ')}`;
  const each = nodes + clientNodes === 1 ? '' : ' each';
  return `${plural(nodes, 'node')}${clients}${product}${kind}${more}, heap ${formatBytes(heapBytes)}${each}`;
}

/** Estimated time to start and stop a cluster with one node on two cores, in ms. */
const START_MS: Readonly<Record<Engine, number>> = { elasticsearch: 15_000, opensearch: 25_000 };
/** Estimated additional time for each further node, in ms. */
const FURTHER_NODE_MS = 6000;

export const startingMs = (asked: RequestedCluster): number =>
  START_MS[asked.engine ?? 'elasticsearch'] + (allNodes(asked) - 1) * FURTHER_NODE_MS;

export interface ClusterChanges {
  /** Labels of environments in the plan that Dyno puts into effect when it starts the clusters. */
  names: ClusterName[];
  /** The clusters that Dyno starts, in the order of the run: one for each environment block (successive trials in one environment). */
  clusters: RequestedCluster[];
  /** Time to start and stop all these clusters, in ms. The estimate of the plan does not include it. */
  ms: number;
}

/**
 * Returns the clusters that Dyno starts for a plan if the target is the embedded Elasticsearch. Null if no cell requests a cluster, or if a
 * request is invalid.
 */
export function clusterChanges(plan: Plan): ClusterChanges | null {
  const names = clusterNamesIn(plan.cells);
  if (names.length === 0 || checkClusters(plan.cells).length > 0) return null;
  const clusters = blocksOf(plan).map(({ environment }) => requestedCluster(environment));
  return { names, clusters, ms: clusters.reduce((sum, asked) => sum + startingMs(asked), 0) };
}

/**
 * Returns command-line options (`--set 'factors...'`) that limit an experiment to certain cells: those for whose cluster `fits` returns
 * true. Returns '' if `fits` returns true for all cells or for no cell.
 */
export function settingThatFits(
  { factors }: Pick<Definition, 'factors'>,
  cells: readonly ResolvedCell[],
  fits: (asked: RequestedCluster) => boolean,
): string {
  const fitting = cells
    .filter(({ definition }) => fits(requestedCluster(definition.environment)))
    .map(({ levels }) => levels);
  if (fitting.length === 0 || fitting.length === cells.length) return '';
  if (Array.isArray(factors)) return `--set 'factors=${stringifyExact(fitting)}'`;
  return Object.entries(factors)
    .map(([path, levels]) => {
      const left = levels.filter((level) => fitting.some((cell) => cell[path] === level));
      return left.length === levels.length
        ? ''
        : `--set 'factors.${path}=[${left.map((level) => showLevel(level)).join(', ')}]'`;
    })
    .filter(Boolean)
    .join(' ');
}
