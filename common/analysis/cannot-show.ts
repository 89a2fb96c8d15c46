/**
 * What an experiment cannot show on a target, for the one who is about to run it: replicas without a node of their own, labels
 * that nothing bears out, more parsers than cores. Each with what would help.
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

/** The target as far as it is known before a run. */
export interface KnownTarget {
  /** It is the embedded Elasticsearch, beside which Dyno starts the clusters that environments ask for. */
  startsClusters: boolean;
  /** Nodes that hold data, of the target as it stands; null where that is not known. */
  dataNodes: number | null;
  /** Of the machine that generates the load; absent where that is not known. */
  cores?: number;
}

export interface CannotShow {
  /** What is the matter, with its cells. */
  what: string;
  /** What would help. */
  help: string;
}

/** `3 data nodes ... What helps: ...` */
export const cannotShowSentence = ({ what, help }: CannotShow): string => `${what}. What helps: ${help}`;

type Planned = Pick<Plan, 'cells'>;

/** A plan and its target. */
interface Asked {
  plan: Planned;
  target: KnownTarget;
  /** All of its trials run on clusters that Dyno starts for them. */
  isStarted: boolean;
}

const PLACES = 'index.allocation';

/** In how many groups of nodes a cell keeps its indices. */
const groupsOf = ({ index: { allocation } }: CellDefinition): number =>
  typeof allocation === 'object' ? allocation.values.length : 1;

/** Data nodes on which the copies of a shard of the cell may lie; null where nobody can tell. */
function nodesFor(cell: CellDefinition, { target, isStarted }: Asked): number | null {
  const groups = groupsOf(cell);
  if (isStarted) return Math.floor(requestedCluster(cell.environment).nodes / groups);
  // Which nodes of another target have an attribute, the preflight asks them.
  return groups > 1 ? null : target.dataNodes;
}

/** ` (cells 1 and 2)`; '' where it is all of them. */
function whichCells({ cells }: Planned, some: readonly ResolvedCell[]): string {
  if (some.length === cells.length) return '';
  return ` (${some.length === 1 ? 'cell' : 'cells'} ${listed(some.map(({ index }) => String(index + 1)))})`;
}

/** The paths of what varies. */
const pathsOf = ({ cells }: Planned): Set<string> =>
  new Set(cells.flatMap(({ levels }) => Object.keys(levels)));

const nodesThatDynoStarts = (nodes: number): string =>
  `environment.nodes: ${nodes} in the definition (--set environment.nodes=${nodes}), with which Dyno starts a cluster of that many`;

const orTheEmbedded = (nodes: number): string =>
  `a target with ${plural(nodes, 'data node')}, or the embedded Elasticsearch as the target with environment.nodes: ${nodes}, ` +
  'where Dyno starts them';

/** Copies that have no place: Elasticsearch keeps no two copies of a shard on one node. */
function replicas(asked: Asked): CannotShow[] {
  const { plan, target } = asked;
  const found = plan.cells.flatMap((cell) => {
    const { index } = cell.definition;
    // The copy that Elasticsearch adds where no number is named nobody has asked for.
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
        )}: a replica without a node of its own is not written, so ` +
        (compared
          ? 'the cost of replicas, which this experiment compares, cannot show'
          : 'each document is stored less often than the experiment says'),
      help: target.startsClusters ? nodesThatDynoStarts(needed) : orTheEmbedded(needed),
    },
  ];
}

/** A number of nodes that a target which stands does not have; `environment`: what it is said to be. */
function nodesOfLabel({ plan, target, isStarted }: Asked, environment: Environment): CannotShow[] {
  const said = environment['nodes'];
  const { dataNodes } = target;
  if (isStarted || dataNodes === null || said === undefined || said === String(dataNodes)) return [];
  return [
    {
      what:
        `environment.nodes says ${said}, and the target has ${plural(dataNodes, 'data node')}: on a target that Dyno did not ` +
        'start it is a label, so ' +
        (pathsOf(plan).has('environment.nodes')
          ? 'what is measured now is not that level'
          : 'shards, replicas and work do not lie as the experiment means it'),
      help: `${orTheEmbedded(Number(said) || 1)}; or environment.nodes: ${dataNodes}, which calls it what it is`,
    },
  ];
}

/** Labels that vary while nobody but a person can change what they stand for. */
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
        `${listed(paths)} ${names.length === 1 ? 'is a label' : 'are labels'} of what Dyno cannot change here: where nobody changes ` +
        'it between the levels, they measure the same thing',
      help: 'set up the next level whenever the run waits for it, or point the run to a cluster that has it, and continue',
    },
  ];
}

/** More nodes that are not more hardware. */
function nodesOnOneMachine({ plan, isStarted }: Asked): CannotShow[] {
  if (!isStarted || new Set(environmentsOf(plan.cells).map(({ nodes }) => nodes)).size < 2) return [];
  return [
    {
      what:
        'all nodes that Dyno starts share one machine, so the run shows what more of them cost, not what they bring on ' +
        'machines of their own',
      help: 'clusters on machines of their own as targets, with environment.nodes as their label',
    },
  ];
}

const PARSERS = /^tasks\.([^.]+)\.ingest\.parse\.workers$/;

/** Parsers that have no core. */
function parsers({ plan, target: { cores } }: Asked): CannotShow[] {
  const counts = plan.cells.flatMap(({ levels }) =>
    Object.entries(levels).flatMap(([path, level]) => (PARSERS.test(path) ? [Number(level)] : [])),
  );
  const most = Math.max(0, ...counts);
  if (cores === undefined || most <= cores) return [];
  return [
    {
      what: `${plural(most, 'parser')} share the ${plural(cores, 'core')} of this machine: those beyond its cores bring nothing`,
      help: `a load generator with ${plural(most, 'core')}, or levels of up to ${cores}`,
    },
  ];
}

/** Whether a request somewhere below holds a script. */
const hasScript = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([key, each]) => key === 'script' || hasScript(each));

/** Scripts, for which the embedded Elasticsearch, the distribution without modules, has no language. */
function scripts({ plan, target }: Asked): CannotShow[] {
  if (!target.startsClusters) return [];
  const found = plan.cells.filter(({ definition: { tasks } }) =>
    tasks.some(({ ingest: _documents, ...work }) => hasScript(work)),
  );
  if (found.length === 0) return [];
  return [
    {
      what: `the embedded Elasticsearch has no language for scripts, so that requests with one fail${whichCells(plan, found)}`,
      help: 'another target (--elasticsearch URL), on which scripts may run',
    },
  ];
}

/**
 * Nothing where the target can show what the experiment asks. `environment`: what the target is said to be now; that of the
 * first trial unless it is given.
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
