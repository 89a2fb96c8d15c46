/** Determines the questions to ask before a run starts, and whether any are necessary. */
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
  /** Environments in which the run can start, in the order of the definition. There is only one if there is no choice. */
  beginnings: readonly Environment[];
  /** Returns the cost of a run that starts in `begins`. */
  costFrom: (begins: Environment) => Cost;
  /** Returns the effects that a run which starts in `begins` cannot show on its target. */
  hiddenFrom: (begins: Environment) => CannotShow[];
}

/**
 * Returns the cost of a run on this host. If the host itself starts the clusters, the cost includes the time for starting them, and the run
 * only has to wait for a person if other labels change.
 */
function costHere({ clusters, ...cost }: Cost, isStarted: boolean): Cost {
  if (clusters === null || !isStarted) return { ...cost, clusters: null };
  const [first] = cost.environments;
  return { ...cost, clusters, ms: cost.ms + clusters.ms, environments: [first!, ...clusters.waitsFor] };
}

/**
 * Returns the questions to ask before a run of the definition `text`. Returns null if no question is needed: the run is short, needs one
 * environment, and its target can show every effect. Also returns null if the text is invalid, because the server reports this. `known`:
 * facts about the target.
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

/** Returns the target named in the text of a definition; null if the text is invalid. */
export function targetOf(text: string): string | null {
  try {
    return readDefinitionText(text, 'definition.yml').target;
  } catch {
    return null;
  }
}
