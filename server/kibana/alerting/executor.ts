/** One look of a rule: reads its window, judges it, and tells Kibana who is at which level and who has recovered. */
import { contextOf, type AlertContext } from '../../../common/alerting/context';
import { alertsOf, type Blind, type Judgement, type RuleState } from '../../../common/alerting/evaluate';
import type { WindowFigures } from '../../../common/alerting/figures';
import { judgeLook, windowsOfLook } from '../../../common/alerting/look';
import { groupingOf, windowMs, type RuleParams } from '../../../common/alerting/params';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { createRejectionsReader } from '../../results/rejections';
import type { WaitingSamples } from '../../results/waiting-samples';
import { asElasticsearchClient } from '../elasticsearch';
import type { AlertFactory, RuleExecutorOptions } from './sdk';

/** What a look needs of Kibana. */
export interface Watchtower {
  /** The cluster that keeps the results: the one of the settings, else Kibana's, which `own` reaches. */
  resultsOf(own: ElasticsearchClient): ElasticsearchClient;
  /** The whole URL of a page of Dyno's, or its path where Kibana does not know how it is reached from outside. */
  urlOf(space: string, path: string): string;
  /** Samples of the runs that this process carries, or that wait on its disk, which the results do not have yet. */
  waitingSamples(results: ElasticsearchClient): Promise<WaitingSamples[]>;
}

/** A sample is readable some seconds after its second. Beyond this the results are not just on their way, ms. */
const ON_ITS_WAY_MS = 15_000;

/** Alerts of one rule where the version has no limit of its own. */
const MOST_ALERTS = 1000;

type Options = RuleExecutorOptions<RuleParams, AlertContext>;

/** 8.3 hands over the whole answer of the last look, 9.x its `state`. */
function stateOf(stored: unknown): RuleState | undefined {
  const outer = stored as ({ state?: Partial<RuleState> } & Partial<RuleState>) | null | undefined;
  const { groups, blindSince } = outer?.state ?? outer ?? {};
  return groups === undefined ? undefined : { groups, ...(blindSince === undefined ? {} : { blindSince }) };
}

/** Groups that the rule watches and whose samples wait. The nodes' figures are shipped by collectors: nobody here knows of them. */
function blindGroups(
  params: RuleParams,
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

/** Rejects as the results do: Kibana shows the message beside the rule. */
export async function look(
  { resultsOf, urlOf, waitingSamples }: Watchtower,
  { params, state, startedAt, spaceId, services }: Options,
): Promise<{ state: Record<string, unknown> }> {
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
  const context = (judgement: Judgement): AlertContext =>
    contextOf(judgement, params, windows.at(-1)!, linkTo);
  tell(services.alertFactory, judgements, context);
  return { state: { ...after } };
}

/** Every active alert at every look; whether an action runs again is what the rule's author chose. */
function tell(
  factory: AlertFactory<AlertContext>,
  judgements: readonly Judgement[],
  context: (judgement: Judgement) => AlertContext,
): void {
  const alerts = alertsOf(judgements);
  const limit = factory.alertLimit?.getValue() ?? MOST_ALERTS;
  for (const alert of alerts.slice(0, limit)) {
    factory.create(alert.group).scheduleActions(alert.level, context(alert));
  }
  factory.alertLimit?.setLimitReached(alerts.length > limit);

  const byGroup = new Map(judgements.map((judgement) => [judgement.group, judgement]));
  for (const recovered of factory.done().getRecoveredAlerts()) {
    const judgement = byGroup.get(recovered.getId());
    if (judgement !== undefined) recovered.setContext(context(judgement));
  }
}
