/** Starts the clusters that a run measures, one for each of its environments, if the definition asks Dyno to start them. */
import {
  addablePlugins,
  differsByCluster,
  requestsClusters,
  requestedCluster,
  checkClusters,
  releaseOf,
  type RequestedCluster,
} from '../../../common/experiment/requested-cluster';
import { engineOf } from '../../../common/elasticsearch/engine';
import { missingOnStarted, pluginsNeeded } from '../../../common/experiment/feature-uses';
import type { Environment } from '../../../common/experiment/environment';
import type { ResolvedCell } from '../../../common/experiment/resolved-cells';
import type { ClusterStarter, Following, RunCluster } from '../../target-cluster/cluster-starter';
import { checkAlone, type AskedResults, type RunListener, type ActiveRun } from '../active-run/active-run';
import type { StartedFacts } from '../../../common/experiment/run';
import { DynoError } from '../../../common/problem';

/**
 * Returns the object that starts clusters if the definition requests clusters; undefined otherwise. If the run's environments differ only
 * in their clusters, the run continues with the next environment without action by the user.
 */
export function starterFor(
  clusters: ClusterStarter | undefined,
  activeRun: ActiveRun,
): ClusterStarter | undefined {
  const starter = requestsClusters(activeRun.plan.cells) ? clusters : undefined;
  if (starter) activeRun.continuesTo = differsByCluster;
  return starter;
}

/**
 * Returns the combinations of factor levels that can be checked on a cluster. `started`: facts about the cluster if Dyno started it. In
 * this case, combinations with another engine are left out, because Dyno starts a different cluster for them.
 */
export const cellsOn = (
  cells: readonly ResolvedCell[],
  started: Pick<StartedFacts, 'engine'> | undefined,
): readonly ResolvedCell[] =>
  started === undefined
    ? cells
    : cells.filter(
        ({ definition }) => engineOf(requestedCluster(definition.environment)) === engineOf(started),
      );

/**
 * Returns the cluster to start for an environment. Clusters with the same engine and version get the same plugins: all plugins that any
 * definition needs with this engine and version. Results with the same version therefore never differ because of a plugin.
 */
export function clusterFor(environment: Environment, cells: readonly ResolvedCell[]): RequestedCluster {
  const requested = requestedCluster(environment);
  const { engine, version } = releaseOf(requested);
  const alike = cells
    .map(({ definition }) => definition)
    .filter((own) => {
      const other = releaseOf(requestedCluster(own.environment));
      return other.engine === engine && other.version === version;
    });
  const addable = addablePlugins(engine, version);
  const plugins = pluginsNeeded(alike, engine).filter((plugin) => addable.includes(plugin));
  return plugins.length === 0 ? requested : { ...requested, plugins };
}

interface Watching {
  signal: AbortSignal;
  onProgress: RunListener['onProgress'];
}

/** Returns an object that receives the steps before the first trial, such as a download, and shows them in the progress of the run. */
function followingOf(activeRun: ActiveRun, { signal, onProgress }: Watching): Following {
  const since = performance.now();
  const { run, progress } = activeRun.document;
  const { plan } = activeRun;
  return {
    signal,
    onStep: (doing) =>
      onProgress({
        runId: run.id,
        completed: progress.completed,
        trials: progress.trials,
        current: null,
        phase: 'preflight',
        doing,
        phaseMs: Math.round(performance.now() - since),
        phaseLengthMs: null,
        measured: 0,
        remainingMs: (plan.estimate.ms * activeRun.leftAhead) / Math.max(1, plan.trials.length),
        tasks: [],
      }),
  };
}

/**
 * Checks the requested clusters (their values, their features, the memory of this machine), and downloads their versions. Called before any
 * cluster is started. Rejects with a DynoError that lists all problems, or with the signal's reason.
 */
export async function bringClusters(
  starter: ClusterStarter,
  activeRun: ActiveRun,
  watching: Watching,
): Promise<void> {
  const { plan } = activeRun;
  const problems = checkClusters(plan.cells);
  if (problems.length > 0) throw new DynoError('input', problems);
  const missing = missingOnStarted(plan.cells);
  if (missing.length > 0) throw new DynoError('input', missing);
  const requested = activeRun.ahead.map(({ environment }) => clusterFor(environment, plan.cells));
  const { definition } = activeRun.document;
  await starter.prepare({ definition, plan }, requested, followingOf(activeRun, watching));
}

/**
 * Starts the cluster for the current environment of the run. Rejects with a DynoError or with the signal's reason. The error is
 * `target.busy` if another run is measuring on this machine.
 */
export async function startCluster(
  starter: ClusterStarter,
  activeRun: ActiveRun,
  { reader, resultsClient, since, ...watching }: Watching & AskedResults & { since: string },
): Promise<RunCluster> {
  const unknown = await checkAlone({ reader, resultsClient }, activeRun.document, since);
  if (unknown !== '') activeRun.note(unknown, 'warning');
  const following = followingOf(activeRun, watching);
  return await starter.start(clusterFor(activeRun.block.environment, activeRun.plan.cells), {
    ...following,
    onStep: (step) => {
      activeRun.note(step);
      following.onStep(step);
    },
  });
}
