/** What somebody is asked before a run starts, and whether there is anything to ask. */
import { cannotShow, type CannotShow, type KnownTarget } from '../../../common/analysis/cannot-show';
import { percentilesOutOfReach } from '../../../common/analysis/percentile-needs';
import { startingEnvironments } from '../../../common/experiment/starting-environment';
import { costOf, type Cost } from '../../../common/experiment/cost';
import type { Environment } from '../../../common/experiment/environment';
import { readDefinitionText } from '../../../common/experiment/read';

/** What takes longer is asked about before it starts, ms. */
const LONG_MS = 2 * 3_600_000;

export interface Asked {
  name: string;
  target: string;
  /** Environments of which one must stand now, as the definition orders them; one where there is no choice. */
  beginnings: readonly Environment[];
  /** Of a run that begins in one of them. */
  costFrom: (begins: Environment) => Cost;
  /** What the target cannot show of it, begun in one of them. */
  hiddenFrom: (begins: Environment) => CannotShow[];
}

/** Where the host starts the clusters, they take their time, and only the other environments are waited for. */
function costHere({ clusters, ...cost }: Cost, isStarted: boolean): Cost {
  if (clusters === null || !isStarted) return { ...cost, clusters: null };
  const [first] = cost.environments;
  return { ...cost, clusters, ms: cost.ms + clusters.ms, environments: [first!, ...clusters.waitsFor] };
}

/**
 * Of a definition as text; null where it is short, takes the cluster for nothing and can show there what it asks, or where the
 * text is wrong, which the server then tells. `known`: of its target.
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

/** The target that a definition as text names; null where the text is wrong. */
export function targetOf(text: string): string | null {
  try {
    return readDefinitionText(text, 'definition.yml').target;
  } catch {
    return null;
  }
}
