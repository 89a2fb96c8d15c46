/**
 * `expect`: what must hold of an answer that is otherwise a success, such as `hits.total.value > 0`. A fast wrong answer is a
 * failed request. Whoever asks for it pays for it: the answer is parsed.
 */
import { parsePlain, stringifyPlain } from '../json/exact';

const OPERATORS = ['==', '!=', '<=', '>=', '<', '>'] as const;
export type Operator = (typeof OPERATORS)[number];

/** Plain data: load threads get it. */
export interface Expectation {
  /** As it was written, for the reason of a failure. */
  text: string;
  /** Keys and places from the answer's top; of a list, `last` is its last and `length` its length. */
  path: readonly string[];
  operator: Operator;
  value: number | string | boolean | null;
}

export const EXPECTATION_FORM =
  'a path, an operator (==, !=, <, <=, > or >=) and a value, such as hits.total.value > 0 or values.length == 10; texts in double quotes';

const FORM = /^\s*([^\s=!<>]+)\s*(==|!=|<=|>=|<|>)\s*(.+?)\s*$/;

/** Undefined where `text` is none. */
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

/** What stands at `path` of a parsed answer; undefined for nothing. */
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

/** Whether all of them hold. */
export const areMet = (expectations: readonly Expectation[], answer: unknown): boolean =>
  expectations.every(({ path, operator, value }) => holds(answerAt(answer, path), operator, value));

/** The first of them that does not hold of a parsed answer, in words; null where all do. */
export function unmet(expectations: readonly Expectation[], answer: unknown): string | null {
  for (const { text, path, operator, value } of expectations) {
    const seen = answerAt(answer, path);
    if (holds(seen, operator, value)) continue;
    const shown = seen === undefined ? 'is not there' : `is ${stringifyPlain(seen).slice(0, 60)}`;
    return `expected ${text}, and ${path.join('.')} ${shown}`;
  }
  return null;
}
