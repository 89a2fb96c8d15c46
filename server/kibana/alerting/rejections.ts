/** One look of the rule *Bulk rejection rate*: reads its window, judges it, and says who is at which level. */
import { CONTEXT_VARIABLES, contextOf, type AlertContext } from '../../../common/alerting/rejections/context';
import { worstFirst, type Blind, type RuleState } from '../../../common/alerting/rejections/evaluate';
import type { WindowFigures } from '../../../common/alerting/rejections/figures';
import { judgeLook, windowsOfLook } from '../../../common/alerting/rejections/look';
import {
  groupingOf,
  rejectionParamsSchema,
  windowMs,
  type RejectionParams,
} from '../../../common/alerting/rejections/params';
import { createRejectionsReader } from '../../results/rejections';
import type { WaitingSamples } from '../../results/waiting-samples';
import { asElasticsearchClient } from '../elasticsearch';
import type { Looked, RulePart, Told, Watchtower } from './rule-type';
import type { RuleExecutorOptions } from './sdk';

/** A sample is readable some seconds after its second. Beyond this the results are not just on their way, ms. */
const ON_ITS_WAY_MS = 15_000;

type Options = RuleExecutorOptions<RejectionParams, AlertContext>;

/** 8.3 hands over the whole answer of the last look, 9.x its `state`. */
function stateOf(stored: unknown): RuleState | undefined {
  const outer = stored as ({ state?: Partial<RuleState> } & Partial<RuleState>) | null | undefined;
  const { groups, blindSince } = outer?.state ?? outer ?? {};
  return groups === undefined ? undefined : { groups, ...(blindSince === undefined ? {} : { blindSince }) };
}

/** Groups that the rule watches and whose samples wait. The nodes' figures are shipped by collectors: nobody here knows of them. */
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

async function look(
  { resultsOf, urlOf, waitingSamples }: Watchtower,
  { params, state, startedAt, spaceId, services }: Options,
): Promise<Looked<AlertContext>> {
  const results = resultsOf(asElasticsearchClient(services.scopedClusterClient.asCurrentUser));
  const to = startedAt.getTime();
  const before = stateOf(state);
  // Before the results are read: what is stored in between is in both.
  const blind = blindGroups(params, await waitingSamples(results), spaceId, to);
  const windows = windowsOfLook(params, before, to, blind);
  const reader = createRejectionsReader(results, spaceId);
  const found: WindowFigures[][] = [];
  for (const window of windows) found.push(await reader.read(params, window));
  const { judgements, state: after } = judgeLook(params, windows, found, before, blind);

  const linkTo = (run: string | null): string =>
    urlOf(spaceId, run === null ? '/runs' : `/runs/${encodeURIComponent(run)}`);
  const told = worstFirst(judgements).map((judgement): Told<AlertContext> => ({
    id: judgement.group,
    group: judgement.level === 'ok' ? null : judgement.level,
    context: () => contextOf(judgement, params, windows.at(-1)!, linkTo),
  }));
  return { told, state: { ...after } };
}

export const rejections: RulePart<RejectionParams, AlertContext> = {
  schema: rejectionParamsSchema,
  variables: CONTEXT_VARIABLES,
  page: ({ experiments = [] }) =>
    experiments.length === 1 ? `/runs?experiment=${encodeURIComponent(experiments[0]!)}` : '/runs',
  look,
};
