/**
 * Hands over what a new rule is to watch, from the page that asks for it to the form within Kibana's own page: Kibana's
 * page of a new rule takes no parameters. It is kept for the tab until a form takes it.
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

/** Whether the form of a new rule has an address. `version`: of Kibana, such as `8.3`; what is no number is newer than all. */
export function hasFormOfItsOwn(version: string): boolean {
  const [major, minor] = version.split('.').map(Number);
  return !(major !== undefined && (major < 8 || (major === 8 && (minor ?? 0) < 18)));
}

/** Versions without an address of the form open the list of rules, where a toast says how to go on. */
export const newRulePath = (version: string, rule: RuleTypeId): string =>
  hasFormOfItsOwn(version) ? `${NEW_RULE}/${rule}` : RULES;

interface Kept {
  rule: RuleTypeId;
  scope: RuleScope;
  at: number;
}

export function keepScope(rule: RuleTypeId, scope: RuleScope, storage: Storage, now: number): void {
  storage.setItem(KEY, JSON.stringify({ rule, scope, at: now } satisfies Kept));
}

/**
 * Kibana mounts the form again with empty parameters while it opens. The scope is given again as long as the form was left
 * for less than this, ms.
 */
const AGAIN_MS = 10_000;

let given: { rule: RuleTypeId; scope: RuleScope; left: number | undefined } | undefined;

/**
 * What the rule that was asked for within the last minutes is to watch; everything where that was another one. A form that
 * is mounted again gets the same.
 */
export function takeScope(rule: RuleTypeId, storage: Storage, now: number): RuleScope {
  const kept = storage.getItem(KEY);
  storage.removeItem(KEY);
  if (kept !== null) {
    const { rule: asked, scope, at } = JSON.parse(kept) as Kept;
    given = asked === rule && now - at <= KEPT_MS ? { rule, scope, left: undefined } : undefined;
  }
  if (given?.rule !== rule) return {};
  if (given.left !== undefined && now - given.left > AGAIN_MS) given = undefined;
  return given?.scope ?? {};
}

/** The form is no longer shown. */
export function leaveScope(rule: RuleTypeId, now: number): void {
  if (given?.rule === rule) given.left = now;
}
