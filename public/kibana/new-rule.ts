/**
 * Hands over what a new rule is to watch, from the page that asks for it to the form within Kibana's own page: Kibana's
 * page of a new rule takes no parameters. It is kept for the tab, and taken once.
 */
import type { RuleScope } from '../app/host';
import type { RuleTypeId } from '../../common/alerting/rule-types';

/** Kibana's pages of rules, within its app `management`. */
const RULES = '/insightsAndAlerting/triggersActions/rules';
/** Since 8.18: response-ops-rule-form/src/constants.ts, `CREATE_RULE_ROUTE`. */
const NEW_RULE = '/insightsAndAlerting/triggersActions/rule/create';

const KEY = 'dyno.new-rule';
/** Somebody who leaves the page and makes another rule later does not mean this one, ms. */
const KEPT_MS = 5 * 60_000;

/** `version`: of Kibana, such as `8.3`; what is no number is newer than all. Older ones open the list of rules. */
export function newRulePath(version: string, rule: RuleTypeId): string {
  const [major, minor] = version.split('.').map(Number);
  const isOlder = major !== undefined && (major < 8 || (major === 8 && (minor ?? 0) < 18));
  return isOlder ? RULES : `${NEW_RULE}/${rule}`;
}

interface Kept {
  rule: RuleTypeId;
  scope: RuleScope;
  at: number;
}

export function keepScope(rule: RuleTypeId, scope: RuleScope, storage: Storage, now: number): void {
  storage.setItem(KEY, JSON.stringify({ rule, scope, at: now } satisfies Kept));
}

/** What the rule that was asked for within the last minutes is to watch; everything where that was another one. */
export function takeScope(rule: RuleTypeId, storage: Storage, now: number): RuleScope {
  const kept = storage.getItem(KEY);
  storage.removeItem(KEY);
  if (kept === null) return {};
  const { rule: asked, scope, at } = JSON.parse(kept) as Kept;
  return asked === rule && now - at <= KEPT_MS ? scope : {};
}
