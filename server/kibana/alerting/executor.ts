/** One look of a rule: reads its window, judges it, and tells Kibana who is at which level and who has recovered. */
import { contextOf, type AlertContext } from '../../../common/alerting/context';
import { alertsOf, evaluate, type Judgement, type RuleState } from '../../../common/alerting/evaluate';
import type { TimeWindow } from '../../../common/alerting/figures';
import { windowMs, type RuleParams } from '../../../common/alerting/params';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { createRejectionsReader } from '../../results/rejections';
import { asElasticsearchClient } from '../elasticsearch';
import type { AlertFactory, RuleExecutorOptions } from './sdk';

/** What a look needs of the kibana. */
export interface Watchtower {
  /** The cluster that keeps the results: the one of the settings, else Kibana's, which `own` reaches. */
  resultsOf(own: ElasticsearchClient): ElasticsearchClient;
  /** The whole URL of a page of Dyno's, or its path where Kibana does not know how it is reached from outside. */
  urlOf(space: string, path: string): string;
}

/** Alerts of one rule where the version has no limit of its own. */
const MOST_ALERTS = 1000;

type Options = RuleExecutorOptions<RuleParams, AlertContext>;

/** 8.3 hands over the whole answer of the last look, 9.x its `state`. */
function stateOf(stored: unknown): RuleState | undefined {
  const outer = stored as { state?: Partial<RuleState>; groups?: RuleState['groups'] } | null | undefined;
  const groups = outer?.state?.groups ?? outer?.groups;
  return groups === undefined ? undefined : { groups };
}

/** Rejects as the results do: Kibana shows the message beside the rule. */
export async function look(
  { resultsOf, urlOf }: Watchtower,
  { params, state, startedAt, spaceId, services }: Options,
): Promise<{ state: Record<string, unknown> }> {
  const results = resultsOf(asElasticsearchClient(services.scopedClusterClient.asCurrentUser));
  const to = startedAt.getTime();
  const window: TimeWindow = { from: to - windowMs(params), to };
  const found = await createRejectionsReader(results, spaceId).read(params, window);
  const verdict = evaluate(params, found, stateOf(state), to);

  const linkTo = (run: string | null): string =>
    urlOf(spaceId, run === null ? '/runs' : `/runs/${encodeURIComponent(run)}`);
  const context = (judgement: Judgement): AlertContext => contextOf(judgement, params, window, linkTo);
  tell(services.alertFactory, verdict.judgements, context);
  return { state: { ...verdict.state } };
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
