/**
 * Passes the experiment or target of a new rule from a page of Dyno to Kibana's form for rules. The URL of the form cannot contain them.
 * The session storage of the tab stores them until the form reads them.
 */
import type { RuleScope } from '../app/host';
import type { RuleTypeId } from '../../common/alerting/rule-types';

/** Kibana's pages of rules, in its app `management`. */
const RULES = '/insightsAndAlerting/triggersActions/rules';
/** Path of the form for a new rule, since Kibana 8.18. Source: `CREATE_RULE_ROUTE` in response-ops-rule-form/src/constants.ts. */
const NEW_RULE = '/insightsAndAlerting/triggersActions/rule/create';

const KEY = 'dyno.new-rule';
/** Time in ms after which the experiment or target for a new rule expires. A rule that is created later is probably a different one. */
const KEPT_MS = 5 * 60_000;

/**
 * Returns whether the form of a new rule has a separate URL in this version of Kibana. `version`: such as `8.3`. A text without a number
 * counts as the newest version.
 */
export function hasOwnForm(version: string): boolean {
  const [major, minor] = version.split('.').map(Number);
  return !(major !== undefined && (major < 8 || (major === 8 && (minor ?? 0) < 18)));
}

/**
 * Returns the path of the form of a new rule. If the version has no such path, returns the path of the list of rules. A toast then explains
 * how to open the form there.
 */
export const newRulePath = (version: string, rule: RuleTypeId): string =>
  hasOwnForm(version) ? `${NEW_RULE}/${rule}` : RULES;

interface Kept {
  rule: RuleTypeId;
  scope: RuleScope;
  at: number;
}

export function keepScope(rule: RuleTypeId, scope: RuleScope, storage: Storage, now: number): void {
  storage.setItem(KEY, JSON.stringify({ rule, scope, at: now } satisfies Kept));
}

/**
 * If the form is mounted again within this time, in ms, it still gets its experiment or target. While the form opens, Kibana removes it and
 * mounts it a second time with empty parameters.
 */
const AGAIN_MS = 10_000;

let given: { rule: RuleTypeId; scope: RuleScope; left: number | undefined } | undefined;

/**
 * Returns the experiment or target for which a page of Dyno opened the form of a new rule. Empty if no page did so within the last {@link
 * KEPT_MS}. A form that is mounted again within {@link AGAIN_MS} gets the same scope again.
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

/**
 * Called when the form of a new rule is closed. A form that opens more than {@link AGAIN_MS} later does not get the experiment or target of
 * the closed form.
 */
export function leaveScope(rule: RuleTypeId, now: number): void {
  if (given?.rule === rule) given.left = now;
}
