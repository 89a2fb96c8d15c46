/** Determines whether a run needs a confirmation before it starts, and what is shown in the dialog. */
import { cannotShow, type CannotShow, type KnownTarget } from '../../../common/analysis/cannot-show';
import { percentilesOutOfReach } from '../../../common/analysis/percentile-needs';
import { startingEnvironments } from '../../../common/experiment/starting-environment';
import { costOf, type Cost } from '../../../common/experiment/cost';
import type { Environment } from '../../../common/experiment/environment';
import { readDefinitionText } from '../../../common/experiment/read';

/** Duration in ms from which a run must be confirmed before it starts. */
const LONG_MS = 2 * 3_600_000;

export interface Asked {
  name: string;
  target: string;
  /**
   * Environments (labels such as `disk: ssd`) in which the run can start, in the order of the definition. If there is only one, the user
   * has nothing to choose.
   */
  beginnings: readonly Environment[];
  /**
   * Returns the estimated duration, documents and disk space of a run. `begins`: the environment (labels such as `disk: ssd`) in which the
   * run starts.
   */
  costFrom: (begins: Environment) => Cost;
  /**
   * Returns what the run cannot measure on its target, for example because of too few nodes. `begins`: the environment in which the run
   * starts.
   */
  hiddenFrom: (begins: Environment) => CannotShow[];
}

/**
 * Adapts the estimated cost of a run to its target. `isStarted`: whether Dyno itself starts the clusters of the trials. The cost then
 * includes the time for starting them. `environments` then contains only the first environment and those that a person must prepare.
 */
function costHere({ clusters, ...cost }: Cost, isStarted: boolean): Cost {
  if (clusters === null || !isStarted) return { ...cost, clusters: null };
  const [first] = cost.environments;
  return { ...cost, clusters, ms: cost.ms + clusters.ms, environments: [first!, ...clusters.waitsFor] };
}

/**
 * Returns what the user must confirm before a run of the definition `text` on the target `known`. Null if the run is short, needs only one
 * environment, and can measure everything on the target. Also null for an invalid text, because the server reports its errors.
 */
export function whatToAsk(text: string, known: KnownTarget): Asked | null {
  try {
    const definition = readDefinitionText(text, 'definition.yml');
    const isStarted = known.startsClusters;
    const costFrom = (begins: Environment): Cost => costHere(costOf(definition, begins), isStarted);
    const hiddenFrom = (begins: Environment): CannotShow[] => {
      const own = costFrom(begins).plan;
      return [...cannotShow(own, known), ...percentilesOutOfReach(own)];
    };
    const { ms, environments, plan } = costFrom({});
    if (ms < LONG_MS && environments.length === 1 && hiddenFrom({}).length === 0) return null;
    const { name, target } = definition;
    return { name, target, beginnings: startingEnvironments(plan.cells, isStarted), costFrom, hiddenFrom };
  } catch {
    return null;
  }
}

/** Returns the id of the target in the text of a definition; null if the text is invalid. */
export function targetOf(text: string): string | null {
  try {
    return readDefinitionText(text, 'definition.yml').target;
  } catch {
    return null;
  }
}
