/**
 * `expect`: conditions on a successful response, such as `hits.total.value > 0`. If the response does not meet a condition, the request
 * counts as failed. To check conditions, Dyno must parse the response, which costs CPU time.
 */
import { parsePlain, stringifyPlain } from '../json/exact';

const OPERATORS = ['==', '!=', '<=', '>=', '<', '>'] as const;
export type Operator = (typeof OPERATORS)[number];

/** One condition on a response. It is plain data that can be sent to other threads. */
export interface Expectation {
  /** The condition as written in the definition. The reason of a failure quotes it. */
  text: string;
  /**
   * Path of the value: keys and positions from the top of the response. For a list, `last` is its last element and `length` the number of
   * elements.
   */
  path: readonly string[];
  operator: Operator;
  value: number | string | boolean | null;
}

export const EXPECTATION_FORM =
  'a path, an operator (==, !=, <, <=, > or >=) and a value, such as hits.total.value > 0 or values.length == 10; texts in double quotes';

const FORM = /^\s*([^\s=!<>]+)\s*(==|!=|<=|>=|<|>)\s*(.+?)\s*$/;

/** Parses a condition; undefined if `text` is not valid. */
export function readExpectation(text: string): Expectation | undefined {
  const [, path, operator, written] = FORM.exec(text) ?? [];
  if (path === undefined || written === undefined) return undefined;
  let value: unknown;
  try {
    value = parsePlain(written);
  } catch {
    return undefined;
  }
  const keys = path.split('.');
  if (keys.includes('')) return undefined;
  if (typeof value === 'object' && value !== null) return undefined;
  const ordered = operator !== '==' && operator !== '!=';
  if (ordered && typeof value !== 'number') return undefined;
  return { text, path: keys, operator: operator as Operator, value: value as Expectation['value'] };
}

/** Returns the value at `path` in a parsed response; undefined if there is no value. */
export function answerAt(answer: unknown, path: readonly string[]): unknown {
  let at: unknown = answer;
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    if (!Array.isArray(at)) at = (at as Record<string, unknown>)[key];
    else if (key === 'length') at = at.length;
    else at = at.at(key === 'last' ? -1 : Number(key)) as unknown;
  }
  return at;
}

function holds(seen: unknown, operator: Operator, value: Expectation['value']): boolean {
  if (operator === '==') return seen === value;
  if (operator === '!=') return seen !== value;
  if (typeof seen !== 'number' || typeof value !== 'number') return false;
  switch (operator) {
    case '<':
      return seen < value;
    case '<=':
      return seen <= value;
    case '>':
      return seen > value;
    case '>=':
      return seen >= value;
  }
}

/** Returns whether the parsed response meets all conditions. */
export const areMet = (expectations: readonly Expectation[], answer: unknown): boolean =>
  expectations.every(({ path, operator, value }) => holds(answerAt(answer, path), operator, value));

/** Returns a description of the first condition that a parsed response does not meet. Returns null if it meets all conditions. */
export function unmet(expectations: readonly Expectation[], answer: unknown): string | null {
  for (const { text, path, operator, value } of expectations) {
    const seen = answerAt(answer, path);
    if (holds(seen, operator, value)) continue;
    const shown = seen === undefined ? 'does not exist' : `is ${stringifyPlain(seen).slice(0, 60)}`;
    return `expected ${text}, and ${path.join('.')} ${shown}`;
  }
  return null;
}
