/**
 * One check of the rule *Bulk rejection rate*. It reads the results of the rule's time window, grouped by experiment, target or node. For
 * each group, it reports a level (ok, warning, ...).
 */
import { CONTEXT_VARIABLES, contextOf, type AlertContext } from '../../../common/alerting/rejections/context';
import { worstFirst, type Blind, type RuleState } from '../../../common/alerting/rejections/evaluate';
import type { WindowFigures } from '../../../common/alerting/rejections/figures';
import { judgeCheck, windowsOfCheck } from '../../../common/alerting/rejections/check';
import {
  groupingOf,
  rejectionParamsSchema,
  windowMs,
  type RejectionParams,
} from '../../../common/alerting/rejections/params';
import { createRejectionsReader } from '../../results/rejections';
import type { WaitingSamples } from '../../results/waiting-samples';
import { asElasticsearchClient } from '../elasticsearch';
import type { CheckResult, RulePart, AlertReport, RuleServices } from './adapter';
import type { RuleExecutorOptions } from './sdk';

/**
 * Maximum time in ms from the measurement of a sample until it is stored. A sample that takes longer counts as missing. Most samples are
 * stored within a few seconds.
 */
const ON_ITS_WAY_MS = 15_000;

type Options = RuleExecutorOptions<RejectionParams, AlertContext>;

/** Returns the rule's state after the last check. Kibana 8.3 passes the whole result of that check, 9.x only its property `state`. */
function stateOf(stored: unknown): RuleState | undefined {
  const outer = stored as ({ state?: Partial<RuleState> } & Partial<RuleState>) | null | undefined;
  const { groups, blindSince } = outer?.state ?? outer ?? {};
  return groups === undefined ? undefined : { groups, ...(blindSince === undefined ? {} : { blindSince }) };
}

/**
 * Returns the watched groups of which some samples are not stored in the results cluster yet. Empty for rules about metrics of nodes.
 * Dyno's collectors send these metrics directly to the results cluster, so this process does not know which ones are missing.
 */
function blindGroups(
  params: RejectionParams,
  waiting: readonly WaitingSamples[],
  space: string,
  now: number,
): Map<string, Blind> {
  const blind = new Map<string, Blind>();
  if (params.measure !== 'documents') return blind;
  const { experiments, target, silenceProvoked } = params;
  const before = now - Math.min(ON_ITS_WAY_MS, windowMs(params) / 2);
  const byTarget = groupingOf(params) === 'target';
  for (const { experiment, since } of waiting) {
    const watched =
      since < before &&
      (experiment.space ?? 'default') === space &&
      (experiments.length === 0 || experiments.includes(experiment.id)) &&
      (target === undefined || experiment.target === target) &&
      !(silenceProvoked && experiment.provokesRejections === true);
    const group = byTarget ? experiment.target : experiment.id;
    if (!watched || group === undefined) continue;
    const name = byTarget ? group : experiment.name;
    blind.set(group, { name, since: Math.min(since, blind.get(group)?.since ?? since) });
  }
  return blind;
}

async function check(
  { resultsOf, urlOf, waitingSamples }: RuleServices,
  { params, state, startedAt, spaceId, services }: Options,
): Promise<CheckResult<AlertContext>> {
  const results = resultsOf(asElasticsearchClient(services.scopedClusterClient.asCurrentUser));
  const to = startedAt.getTime();
  const before = stateOf(state);
  // Waiting samples are read before the results. A sample that is stored in between is then counted as waiting and as stored. In the other
  // order, it would not be counted at all.
  const blind = blindGroups(params, await waitingSamples(results), spaceId, to);
  const windows = windowsOfCheck(params, before, to, blind);
  const reader = createRejectionsReader(results, spaceId);
  const found: WindowFigures[][] = [];
  for (const window of windows) found.push(await reader.read(params, window));
  const { judgements, state: after } = judgeCheck(params, windows, found, before, blind);

  const linkTo = (run: string | null): string =>
    urlOf(spaceId, run === null ? '/runs' : `/runs/${encodeURIComponent(run)}`);
  const reports = worstFirst(judgements).map((judgement): AlertReport<AlertContext> => ({
    id: judgement.group,
    group: judgement.level === 'ok' ? null : judgement.level,
    context: () => contextOf(judgement, params, windows.at(-1)!, linkTo),
  }));
  return { reports, state: { ...after } };
}

export const rejections: RulePart<RejectionParams, AlertContext> = {
  schema: rejectionParamsSchema,
  variables: CONTEXT_VARIABLES,
  page: ({ experiments = [] }) =>
    experiments.length === 1 ? `/runs?experiment=${encodeURIComponent(experiments[0]!)}` : '/runs',
  check: check,
};
