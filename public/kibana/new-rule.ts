/**
 * Hands over what a new rule is to watch, from the page that asks for it to the form within Kibana's own page: Kibana's
 * page of a new rule takes no parameters. It is kept for the tab, and taken once.
 */
import type { RawParams } from '../alerting/form-context';
import type { RuleScope } from '../app/host';
import { RULE_TYPE_ID } from '../../common/alerting/rule-type';

/** Kibana's pages of rules, within its app `management`. */
const RULES = '/insightsAndAlerting/triggersActions/rules';
/** Since 8.18: response-ops-rule-form/src/constants.ts, `CREATE_RULE_ROUTE`. */
const NEW_RULE = `/insightsAndAlerting/triggersActions/rule/create/${RULE_TYPE_ID}`;

const KEY = 'dyno.new-rule';
/** Somebody who leaves the page and makes another rule later does not mean this one, ms. */
const KEPT_MS = 5 * 60_000;

/** `version`: of Kibana, such as `8.3`; what is no number is newer than all. Older ones open the list of rules. */
export function newRulePath(version: string): string {
  const [major, minor] = version.split('.').map(Number);
  const isOlder = major !== undefined && (major < 8 || (major === 8 && (minor ?? 0) < 18));
  return isOlder ? RULES : NEW_RULE;
}

export function keepScope(scope: RuleScope, storage: Storage, now: number): void {
  storage.setItem(KEY, JSON.stringify({ scope, at: now }));
}

/** Parameters of the rule that was asked for within the last minutes; none otherwise. */
export function takeScope(storage: Storage, now: number): RawParams {
  const kept = storage.getItem(KEY);
  storage.removeItem(KEY);
  if (kept === null) return {};
  const { scope, at } = JSON.parse(kept) as { scope: RuleScope; at: number };
  if (now - at > KEPT_MS) return {};
  return {
    ...(scope.experiment === undefined ? {} : { experiments: [scope.experiment] }),
    ...(scope.target === undefined ? {} : { target: scope.target }),
  };
}
