/** Simulates Kibana's alerting: it refuses the rule types that Kibana refuses, and executes a rule as Kibana does. */
import type { KibanaElasticsearchClient } from '../../sdk';
import type { AlertFactory, KibanaAlert, RuleType } from '../sdk';

const KEYS = [
  'id',
  'name',
  'category',
  'solution',
  'producer',
  'actionGroups',
  'defaultActionGroupId',
  'minimumLicenseRequired',
  'isExportable',
  'doesSetRecoveryContext',
  'validate',
  'actionVariables',
  'defaultScheduleInterval',
  'ruleTaskTimeout',
  'getViewInAppRelativeUrl',
  'executor',
];
/** Durations that Kibana accepts, such as `5m`. From alerting/common/parse_duration.ts in Kibana. */
const DURATION = /^[1-9][0-9]*[smhd]$/;

/**
 * Throws in the same cases as `registerType`. Also throws for an unknown or missing key, if at least one supported version of Kibana would
 * refuse it.
 */
export function checkRuleType<Params, Context>(ruleType: RuleType<Params, Context>): void {
  const { id, actionGroups, defaultActionGroupId, defaultScheduleInterval, ruleTaskTimeout } = ruleType;
  const keys = Object.keys(ruleType);
  const wrong = [...keys.filter((key) => !KEYS.includes(key)), ...KEYS.filter((key) => !keys.includes(key))];
  if (wrong.length > 0) throw new Error(`rule type ${id}: ${wrong.join(', ')}`);
  if (!/^[a-zA-Z0-9_\-.]+$/.test(id)) throw new Error(`expected RuleType Id not to include: ${id}`);
  const groups = actionGroups.map((group) => group.id);
  if (groups.includes('recovered'))
    throw new Error('Action groups [recovered] are reserved by the framework.');
  if (!groups.includes(defaultActionGroupId)) throw new Error(`${defaultActionGroupId} is no action group`);
  for (const duration of [defaultScheduleInterval, ruleTaskTimeout])
    if (!DURATION.test(duration)) throw new Error(`invalid duration: ${duration}`);
}

export interface Checked<Context> {
  /** Group and context of active alerts, by id. */
  active: Record<string, { group: string; context: Context }>;
  recovered: Record<string, Context | undefined>;
  error?: string;
}

export interface Look {
  at: Date;
  client: KibanaElasticsearchClient;
  spaceId?: string;
}

/** Executes a rule. `old`: behaves like 8.3. There is then no limit of alerts and no `rule.id`, and the whole result is the next state. */
export function fakeRule<Params, Context>(
  ruleType: RuleType<Params, Context>,
  given: unknown,
  version: 'old' | 'new',
  limit = 1000,
): (check: Look) => Promise<Checked<Context>> {
  checkRuleType(ruleType);
  const params = JSON.parse(JSON.stringify(ruleType.validate.params.validate(given))) as Params;
  let state = '{}';
  let before: string[] = [];

  return async ({ at, client, spaceId = 'default' }) => {
    const { factory, active, recovered, check } = fakeFactory<Context>(before, ruleType, version, limit);
    const answer = await ruleType.executor({
      ...(version === 'old' ? { alertId: 'r1' } : {}),
      rule: { name: 'A rule', ...(version === 'old' ? {} : { id: 'r1' }) },
      params,
      state: JSON.parse(state) as unknown,
      startedAt: at,
      spaceId,
      services: { alertFactory: factory, scopedClusterClient: { asCurrentUser: client } },
    });
    check();
    state = JSON.stringify(version === 'old' ? answer : answer.state);
    before = Object.keys(active);
    return { active, recovered };
  };
}

function fakeFactory<Context>(
  before: readonly string[],
  { actionGroups }: Pick<RuleType<never, Context>, 'actionGroups'>,
  version: 'old' | 'new',
  limit: number,
): Checked<Context> & { factory: AlertFactory<Context>; check(): void } {
  const active: Checked<Context>['active'] = {};
  const recovered: Checked<Context>['recovered'] = {};
  let [done, asked, reported, created] = [false, false, false, 0];

  const alert = (id: string): KibanaAlert<Context> => ({
    getId: () => id,
    scheduleActions(group, context) {
      if (active[id])
        throw new Error('Alert instance execution has already been scheduled, cannot schedule twice');
      if (!actionGroups.some((known) => known.id === group)) throw new Error(`${group} is no action group`);
      active[id] = { group, context };
    },
    setContext: (context) => (recovered[id] = context),
  });

  const factory: AlertFactory<Context> = {
    create(id) {
      if (done) throw new Error("Can't create new alerts after calling done() in AlertsFactory.");
      if (created++ >= limit) throw new Error(`Rule reported more than ${limit} alerts.`);
      return alert(id);
    },
    done() {
      done = true;
      const gone = before.filter((id) => !active[id]);
      gone.forEach((id) => (recovered[id] = undefined));
      return { getRecoveredAlerts: () => gone.map(alert) };
    },
    ...(version === 'old'
      ? {}
      : {
          alertLimit: {
            getValue: () => ((asked = true), limit),
            setLimitReached: () => (reported = true),
          },
        }),
  };
  const check = (): void => {
    if (asked && !reported) throw new Error('Rule has not reported whether alert limit has been reached');
  };
  return { factory, active, recovered, check };
}
