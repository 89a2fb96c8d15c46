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
   * Environments (labels such as `disk: ssd`) in which the run can start, in the order of the definition. With one entry, the user has no
   * choice.
   */
  beginnings: readonly Environment[];
  /**
   * Returns the estimated duration, documents and disk space of a run that starts in the environment `begins` (labels such as `disk: ssd`).
   */
  costFrom: (begins: Environment) => Cost;
  /** Returns what a run that starts in the environment `begins` cannot measure on its target, for example because of too few nodes. */
  hiddenFrom: (begins: Environment) => CannotShow[];
}

/**
 * Returns the cost of a run. `isStarted`: whether Dyno starts the clusters of the trials itself. In this case, the cost includes the time
 * for starting them. Its environments are the first one, and those that a person must prepare.
 */
function costHere({ clusters, ...cost }: Cost, isStarted: boolean): Cost {
  if (clusters === null || !isStarted) return { ...cost, clusters: null };
  const [first] = cost.environments;
  return { ...cost, clusters, ms: cost.ms + clusters.ms, environments: [first!, ...clusters.waitsFor] };
}

/**
 * Returns what to confirm before a run of the definition `text` on the target `known`. Null if no confirmation is needed: the run is short,
 * needs only one environment, and the target is sufficient. Also null for an invalid text, because the server reports its errors.
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
