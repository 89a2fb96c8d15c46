/** Finds the literals of scripts and of queries in ES|QL, SQL, EQL and PPL. */

/** A literal in code. */
export interface Literal {
  text: string;
  /** Code before the literal, without comments. */
  before: string;
  /** Code after the literal. */
  after: string;
}

/** Replaces literals. The text of a result is written between the same quotes. */
export interface OnCode {
  string(literal: Literal): string;
  number(literal: Literal): string;
  /** Replaces code between the literals, such as names of fields. */
  code?(code: string): string;
}

/** In this order: comments, triple quotes, double and single quotes, numbers that are not part of a name. */
const SCRIPT =
  /(?<comment>\/\/[^\n]*|\/\*[^]*?\*\/)|"(?<double>(?:[^"\\]|\\[^])*)"|'(?<single>(?:[^'\\]|\\[^])*)'|(?<number>(?<![\w.$])\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;
/** `--` is a comment in SQL only, `//` not in SQL. In SQL, double quotes and backticks surround names. */
const ESQL =
  /(?<comment>\/\/[^\n]*|\/\*[^]*?\*\/)|"""(?<triple>[^]*?)"""|"(?<double>(?:[^"\\]|\\[^])*)"|(?<name>`[^`]*`)|(?<number>(?<![\w.$@-])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w-]))/g;
const EQL =
  /(?<comment>\/\/[^\n]*|\/\*[^]*?\*\/)|"""(?<triple>[^]*?)"""|"(?<double>(?:[^"\\]|\\[^])*)"|'(?<single>(?:[^'\\]|\\[^])*)'|(?<name>`[^`]*`)|(?<number>(?<![\w.$@-])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w-]))/g;
const SQL =
  /(?<comment>--[^\n]*|\/\*[^]*?\*\/)|'(?<single>(?:[^']|'')*)'|(?<name>"[^"]*"|`[^`]*`)|(?<number>(?<![\w.$@-])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w-]))/g;

export const LANGUAGES = { script: SCRIPT, esql: ESQL, eql: EQL, sql: SQL } as const;
export type Language = keyof typeof LANGUAGES;

/** Replaces the literals of code, and removes its comments. */
export function maskedCode(code: string, language: Language, on: OnCode): string {
  let result = '';
  let before = '';
  let from = 0;
  const plain = (text: string): string => on.code?.(text) ?? text;
  for (const found of code.matchAll(LANGUAGES[language])) {
    const between = code.slice(from, found.index);
    before += between;
    result += plain(between);
    from = found.index + found[0].length;
    const after = code.slice(from, from + 200);
    const { comment, triple, double, single, name, number } = found.groups ?? {};
    if (comment !== undefined) result += ' ';
    else if (name !== undefined) result += plain(name);
    else if (number !== undefined) result += on.number({ text: number, before, after });
    else {
      const quote = triple === undefined ? found[0][0]! : '"""';
      result += quote + on.string({ text: triple ?? double ?? single ?? '', before, after }) + quote;
    }
    if (comment === undefined) before += found[0];
    before = before.slice(-400);
  }
  return result + plain(code.slice(from));
}

const NAME = String.raw`[\p{L}_@][\p{L}\p{N}_@.-]*|"[^"]+"|` + '`[^`]+`';
const CONSTANT = String.raw`(?:-?[\w.]+|"[^"]*"|'[^']*'|\?\w*)`;
const COMPARISON = String.raw`(?:==|=~|<>|!=|<=|>=|=|<|>|:|\blike~?|\brlike|\bregex~?)\s*\(?\s*`;
const LIST = String.raw`(?:\bin~?|:|\blike~?|\bregex~?)\s*\(\s*(?:${CONSTANT}\s*,\s*)*`;
const BETWEEN = String.raw`\bbetween\s+(?:${CONSTANT}\s+and\s+)?`;
const BEFORE = new RegExp(
  String.raw`(${NAME})\s*(?:::\w+\s*)?(?:\bnot\s+)?(?:${COMPARISON}|${LIST}|${BETWEEN})$`,
  'iu',
);
const AFTER = new RegExp(String.raw`^\s*(?:==|<>|!=|<=|>=|=|<|>)\s*(${NAME})`, 'u');
const FUNCTION = new RegExp(
  String.raw`(?:match|match_phrase|qstr|term|cidr_match|starts_with|ends_with|startsWith|endsWith|stringContains|cidrMatch)\s*\(\s*(${NAME})\s*,[^()]*$`,
  'iu',
);

/** Returns the name of the field that a literal is compared with; '' if the code does not show it. */
export function comparedField({ before, after }: Literal): string {
  const name = BEFORE.exec(before)?.[1] ?? FUNCTION.exec(before)?.[1] ?? AFTER.exec(after)?.[1] ?? '';
  return name.replaceAll(/^["`]|["`]$/g, '');
}

/** Returns the fields with which the parameters of a query are compared, by the name or number of the parameter, from 1. */
export function parameterFields(code: string, language: Language): Map<string, string> {
  const fields = new Map<string, string>();
  let unnamed = 0;
  // Comments and texts with a question mark contain no parameters.
  const bare = code.replaceAll(LANGUAGES[language], (found) =>
    found.includes('?') || /^(?:\/|--)/.test(found) ? ' ' : found,
  );
  for (const found of bare.matchAll(/\?(\w*)/g)) {
    unnamed += found[1] === '' ? 1 : 0;
    const field = comparedField({
      text: '',
      before: bare.slice(0, found.index),
      after: bare.slice(found.index + found[0].length),
    });
    if (field !== '') fields.set(found[1] || String(unnamed), field);
  }
  return fields;
}
