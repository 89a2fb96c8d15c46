/**
 * Finds, before an experiment runs, what it cannot show on its target. Examples are replicas without a separate node, labels that do not
 * match the cluster, or more parsers than cores. Each finding says what helps.
 */
import { expandsReplicas } from '../elasticsearch/settings';
import type { CellDefinition } from '../experiment/cell-definition';
import type { Environment } from '../experiment/environment';
import { environmentsOf } from '../experiment/environment-blocks';
import type { Plan } from '../experiment/plan';
import { labelsOf, requestedCluster, requestsClusters } from '../experiment/requested-cluster';
import type { ResolvedCell } from '../experiment/resolved-cells';
import { plural } from '../units/format';
import { listed } from './wording';

/** Facts about the target before a run. */
export interface KnownTarget {
  /** Whether the target is the embedded Elasticsearch. If it is, Dyno starts the clusters that environments request. */
  startsClusters: boolean;
  /** Number of data nodes of the running target; null if unknown. */
  dataNodes: number | null;
  /** Number of cores of the machine that generates the load; undefined if unknown. */
  cores?: number;
  /**
   * Whether the running target has a script language. Undefined if unknown: the embedded Elasticsearch then counts as a reduced distribution,
   * which has none.
   */
  runsScripts?: boolean;
}

export interface CannotShow {
  /** Description of the problem, with the affected cells. */
  what: string;
  /** Description of how to solve the problem. */
  help: string;
}

/** Returns a sentence such as `1 replica of a shard needs 2 data nodes ... What helps: ...`. */
export const cannotShowSentence = ({ what, help }: CannotShow): string => `${what}. What helps: ${help}`;

type Planned = Pick<Plan, 'cells'>;

/** A plan and the target on which it will run. */
interface Asked {
  plan: Planned;
  target: KnownTarget;
  /** Whether Dyno starts the clusters on which the trials run. */
  isStarted: boolean;
}

const PLACES = 'index.allocation';

/**
 * Returns the number of values of the node attribute by which the cell allocates its indices, such as two disk types. Each value means a
 * separate group of nodes. 1 without such an allocation.
 */
const groupsOf = ({ index: { allocation } }: CellDefinition): number =>
  typeof allocation === 'object' ? allocation.values.length : 1;

/** Returns the number of data nodes to which copies of a shard of the cell can be allocated. Null if unknown. */
function nodesFor(cell: CellDefinition, { target, isStarted }: Asked): number | null {
  const groups = groupsOf(cell);
  if (isStarted) return Math.floor(requestedCluster(cell.environment).nodes / groups);
  // If Dyno did not start the target, it learns only from the checks before the run which nodes have an attribute.
  return groups > 1 ? null : target.dataNodes;
}

/** Returns the affected cells (`some`) as text to append to a message: ` (cells 1, 2)`. '' if all cells are affected. */
function whichCells({ cells }: Planned, some: readonly ResolvedCell[]): string {
  if (some.length === cells.length) return '';
  return ` (${some.length === 1 ? 'cell' : 'cells'} ${listed(some.map(({ index }) => String(index + 1)))})`;
}

/** Returns the paths of the factors. */
const pathsOf = ({ cells }: Planned): Set<string> =>
  new Set(cells.flatMap(({ levels }) => Object.keys(levels)));

const nodesThatDynoStarts = (nodes: number): string =>
  `environment.nodes: ${nodes} in the definition (--set environment.nodes=${nodes}), which makes Dyno start a cluster with that many nodes`;

const orTheEmbedded = (nodes: number): string =>
  `a target with ${plural(nodes, 'data node')}, or the embedded Elasticsearch as the target with environment.nodes: ${nodes}, ` +
  'for which Dyno starts them';

/** Finds replica shards that cannot be assigned, because Elasticsearch never allocates two copies of a shard to the same node. */
function replicas(asked: Asked): CannotShow[] {
  const { plan, target } = asked;
  const found = plan.cells.flatMap((cell) => {
    const { index } = cell.definition;
    // If the definition contains no number of replicas, Elasticsearch adds one replica by default. The experiment does not depend on that
    // replica.
    const asks = index.existing === undefined && 'number_of_replicas' in index.settings;
    if (!asks || expandsReplicas(index.settings)) return [];
    const nodes = nodesFor(cell.definition, asked);
    return nodes !== null && index.replicas >= nodes ? [{ cell, nodes }] : [];
  });
  if (found.length === 0) return [];
  const most = Math.max(...found.map(({ cell }) => cell.definition.index.replicas));
  const groups = Math.max(...found.map(({ cell }) => groupsOf(cell.definition)));
  const nodes = Math.min(...found.map((each) => each.nodes));
  const compared = pathsOf(plan).has('index.settings.number_of_replicas');
  const needed = (most + 1) * groups;
  const ofGroup = groups > 1 ? ` for each value of ${PLACES}` : '';
  return [
    {
      what:
        `${plural(most, 'replica')} of a shard ${most === 1 ? 'needs' : 'need'} ${plural(most + 1, 'data node')}${ofGroup}, and there ` +
        `${nodes === 1 ? 'is' : 'are'} ${nodes}${whichCells(
          plan,
          found.map(({ cell }) => cell),
        )}: a replica without its own node is not written, so ` +
        (compared
          ? 'the cost of replicas, which this experiment compares, cannot be seen'
          : 'each document is stored fewer times than the experiment says'),
      help: target.startsClusters ? nodesThatDynoStarts(needed) : orTheEmbedded(needed),
    },
  ];
}

/**
 * Finds a wrong label `nodes`: one that differs from the number of data nodes of the target. Skips targets that Dyno starts, because their
 * number of nodes follows the label. `environment`: labels of the target.
 */
function nodesOfLabel({ plan, target, isStarted }: Asked, environment: Environment): CannotShow[] {
  const label = environment['nodes'];
  const { dataNodes } = target;
  if (isStarted || dataNodes === null || label === undefined || label === String(dataNodes)) return [];
  return [
    {
      what:
        `environment.nodes says ${label}, and the target has ${plural(dataNodes, 'data node')}: on a target that Dyno did not ` +
        'start it is only a label, so ' +
        (pathsOf(plan).has('environment.nodes')
          ? 'that level is not measured'
          : 'shards, replicas and work are not distributed as the experiment intends'),
      help: `${orTheEmbedded(Number(label) || 1)}; or environment.nodes: ${dataNodes}, the real number`,
    },
  ];
}

/**
 * Finds environment labels that vary within the run, although Dyno cannot make the change. Only a person can, for example by replacing
 * disks.
 */
function labels({ plan, isStarted }: Asked): CannotShow[] {
  const own = environmentsOf(plan.cells).map((whole) => (isStarted ? labelsOf(whole) : whole));
  const names = [...new Set(own.flatMap((environment) => Object.keys(environment)))].filter(
    (name) => new Set(own.map((environment) => environment[name])).size > 1,
  );
  if (names.length === 0) return [];
  const paths = names.map((name) => `environment.${name}`);
  return [
    {
      what:
        `${listed(paths)} ${names.length === 1 ? 'is a label' : 'are labels'} of something that Dyno cannot change here: unless a ` +
        'person changes it between the levels, all levels measure the same thing',
      help: 'set up the next level when the run waits for it, or point the run to a cluster that has it, then continue',
    },
  ];
}

/** Finds factor levels that differ in the number of nodes, if all these nodes would run on one machine. */
function nodesOnOneMachine({ plan, isStarted }: Asked): CannotShow[] {
  if (!isStarted || new Set(environmentsOf(plan.cells).map(({ nodes }) => nodes)).size < 2) return [];
  return [
    {
      what:
        'all nodes that Dyno starts share one machine, so the run shows what more nodes cost, not what they gain on separate ' +
        'machines',
      help: 'clusters on separate machines as targets, with environment.nodes as their label',
    },
  ];
}

const PARSERS = /^tasks\.([^.]+)\.ingest\.parse\.workers$/;

/** Finds factor levels with more parser threads (threads that turn raw lines into documents) than this machine has cores. */
function parsers({ plan, target: { cores } }: Asked): CannotShow[] {
  const counts = plan.cells.flatMap(({ levels }) =>
    Object.entries(levels).flatMap(([path, level]) => (PARSERS.test(path) ? [Number(level)] : [])),
  );
  const most = Math.max(0, ...counts);
  if (cores === undefined || most <= cores) return [];
  return [
    {
      what: `${plural(most, 'parser')} share the ${plural(cores, 'core')} of this machine: more parsers than cores gain nothing`,
      help: `a load generator with ${plural(most, 'core')}, or levels of up to ${cores}`,
    },
  ];
}

/** Returns whether a value contains a key `script` at any depth. */
const hasScript = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([key, each]) => key === 'script' || hasScript(each));

/** Returns whether Dyno would start a reduced Elasticsearch for these labels. OpenSearch and the full distribution have scripts. */
const isReduced = (environment: Environment): boolean => {
  const { engine = 'elasticsearch', distribution } = requestedCluster(environment);
  return engine === 'elasticsearch' && distribution !== 'full';
};

/** Finds requests with scripts on the embedded Elasticsearch, whose reduced distribution has no script modules. */
function scripts({ plan, target, isStarted }: Asked): CannotShow[] {
  if (!target.startsClusters || target.runsScripts === true) return [];
  const found = plan.cells.filter(
    ({ definition: { tasks, environment } }) =>
      (!isStarted || isReduced(environment)) &&
      tasks.some(({ ingest: _documents, ...work }) => hasScript(work)),
  );
  if (found.length === 0) return [];
  return [
    {
      what: `the embedded Elasticsearch has no script language, so requests with a script fail${whichCells(plan, found)}`,
      help: '`environment.distribution: full`, or another target (--elasticsearch URL) that can run scripts',
    },
  ];
}

/**
 * Returns what the experiment cannot show on the target. Empty if there is no problem. `environment`: the current labels of the target.
 * Default: the labels of the first trial.
 */
export function cannotShow(
  plan: Pick<Plan, 'cells' | 'trials'>,
  target: KnownTarget,
  environment: Environment = plan.cells[plan.trials[0]?.cell ?? 0]!.definition.environment,
): CannotShow[] {
  const asked: Asked = { plan, target, isStarted: target.startsClusters && requestsClusters(plan.cells) };
  return [
    ...replicas(asked),
    ...nodesOfLabel(asked, environment),
    ...labels(asked),
    ...nodesOnOneMachine(asked),
    ...parsers(asked),
    ...scripts(asked),
  ];
}
