/**
 * Replaces names of indices in queries that are texts: ES|QL, SQL and PPL. Dyno only understands a query if it recognises every position
 * that can contain the name of an index. All other queries are left out, because they could read other indices or change documents.
 */
import { isLeftOut, type LeftOut } from './index-map';

export type QueryLanguage = 'esql' | 'sql' | 'ppl';

/** Function that returns the names that replace recorded names, or the reason why there are no such names. */
type Resolve = (names: string[]) => readonly string[] | LeftOut;

/**
 * Replaces the names in a query. Returns the new query; or the reason why the query must be left out, because a name has no new index; or
 * null if the query is not understood.
 */
export function queryWithNames(
  language: QueryLanguage,
  query: string,
  resolve: Resolve,
): string | LeftOut | null {
  const masked = withoutStrings(query, language === 'esql');
  if (masked === null || COMMENTS[language].test(masked)) return null;
  if (language === 'esql') return esql(query, masked, resolve);
  // The engines differ in whether a backslash within quotes is an escape.
  if (query.includes('\\')) return null;
  return language === 'sql' ? sql(query, masked, resolve) : ppl(query, masked, resolve);
}

/** Matches the beginnings of comments. A comment could hide the rest of a query. */
const COMMENTS: Readonly<Record<QueryLanguage, RegExp>> = {
  esql: /\/[/*]/,
  sql: /\/\*|--|#/,
  ppl: /\/[/*]|--|#/,
};

/**
 * Returns the text, in which underscores replace all characters within quotes. All positions stay the same. Returns null if a quotation
 * mark is not closed, or if the text contains triple quotes.
 */
function withoutStrings(text: string, isEsql: boolean): string | null {
  if (isEsql && text.includes('"""')) return null;
  const quoted = isEsql ? /"(?:[^"\\]|\\.)*"|`[^`]*`/gs : /'[^']*'|"[^"]*"|`[^`]*`/gs;
  if (/['"`]/.test(text.replace(quoted, ''))) return null;
  return text.replace(quoted, (own) => `${own.charAt(0)}${'_'.repeat(own.length - 2)}${own.charAt(0)}`);
}

/** Matches queries in ES|QL whose first command reads no index. */
const ESQL_CONSTANT = /^\s*(?:ROW|SHOW\s+INFO)\b/i;
/** Matches the first command of a query in ES|QL, with the names of its indices. */
const ESQL_SOURCE =
  /^(\s*(?:FROM|TS)\s+)((?:"[^"]*"|[\w.*<>{}/+:-]+)(?:\s*,\s*(?:"[^"]*"|[\w.*<>{}/+:-]+))*)/i;
/** Matches the text that may follow the names of indices in ES|QL. */
const ESQL_REST = /^\s*(?:$|\||METADATA\b|\[\s*METADATA\b)/i;
/** Matches commands that read other indices, and sub-queries. A field with the name of such a command matches too. */
const ESQL_OTHER =
  /[|([]\s*(?:LOOKUP\w*|ENRICH\w*|PROMQL|METRICS|EXPLAIN)\b|[|([]\s*(?:FROM|TS)\s+[\w"]|\bJOIN\b|;/i;

function esql(query: string, masked: string, resolve: Resolve): string | LeftOut | null {
  if (ESQL_CONSTANT.test(masked)) return ESQL_OTHER.test(masked) ? null : query;
  const source = ESQL_SOURCE.exec(masked);
  if (source === null) return null;
  const [all, before = ''] = source;
  const rest = masked.slice(all.length);
  if (!ESQL_REST.test(rest) || ESQL_OTHER.test(rest)) return null;
  const names = resolve(namesIn(query.slice(before.length, all.length)));
  if (isLeftOut(names)) return names;
  return `${before}${names.map((name) => `"${name}"`).join()}${query.slice(all.length)}`;
}

/** Returns the names in a list. Each element may have quotes around it, and may be a list itself. */
const namesIn = (list: string): string[] =>
  list
    .replace(/["`]/g, '')
    .split(',')
    .map((name) => name.trim());

/** Matches an index in a query in SQL. */
const SQL_SOURCE = /\b(FROM|JOIN)(\s*)("_*"|`_*`|[\w.*-]+|\()?/gi;
/**
 * Matches the text that may follow the name of an index in SQL: an alias, then a clause or the end of the query. A comma does not match,
 * because another index would follow it.
 */
const SQL_REST =
  /^(?:\s+(?:AS\s+)?(?:(?!WHERE|GROUP|HAVING|ORDER|LIMIT|JOIN|INNER|LEFT|RIGHT|FULL|CROSS|ON|UNION|MINUS|PIVOT)[a-z]\w*|"_*"|`_*`))?\s*(?:$|;\s*$|\)|\b(?:WHERE|GROUP|HAVING|ORDER|LIMIT|JOIN|INNER|LEFT|RIGHT|FULL|CROSS|ON|UNION|MINUS)\b)/i;

/** Matches functions and comparisons of SQL in which no index follows the word FROM. */
const SQL_OTHER = /\b(?:EXTRACT|TRIM|SUBSTRING|OVERLAY)\s*\(|\bDISTINCT\s+FROM\b/i;

function sql(query: string, masked: string, resolve: Resolve): string | LeftOut | null {
  if (!/^\s*SELECT\b/i.test(masked) || /;(?!\s*$)/.test(masked) || SQL_OTHER.test(masked)) return null;
  let text = '';
  let from = 0;
  for (const match of masked.matchAll(SQL_SOURCE)) {
    const [whole, , blanks = '', source] = match;
    const end = match.index + whole.length;
    // The sub-select itself contains a FROM with the indices.
    if (source === '(' && /^\s*SELECT\b/i.test(masked.slice(end))) continue;
    const isQuoted = source !== undefined && /^["`]/.test(source);
    if (source === undefined || source === '(' || (blanks === '' && !isQuoted)) return null;
    if (/^frozen$/i.test(source) || !SQL_REST.test(masked.slice(end))) return null;
    const start = end - source.length;
    const names = resolve(namesIn(query.slice(start, end)));
    if (isLeftOut(names)) return names;
    const mark = source.startsWith('`') ? '`' : '"';
    text += `${query.slice(from, start)}${mark}${names.join()}${mark}`;
    from = end;
  }
  return text + query.slice(from);
}

const PPL_SOURCE =
  /^(\s*(?:search\s+)?source\s*=\s*)((?:`_*`|[\w.*-]+)(?:\s*,\s*(?:`_*`|[\w.*-]+))*)(?=\s*(?:\||$))/i;
/** Matches commands and clauses that read other indices. */
const PPL_OTHER = /\[|\b(?:source|index|join|\w*lookup|append\w*|describe|show|union|multisearch|from)\b/i;

function ppl(query: string, masked: string, resolve: Resolve): string | LeftOut | null {
  const source = PPL_SOURCE.exec(masked);
  if (source === null) return null;
  const [all, before = ''] = source;
  if (PPL_OTHER.test(masked.slice(all.length))) return null;
  const names = resolve(namesIn(query.slice(before.length, all.length)));
  if (isLeftOut(names)) return names;
  return `${before}${names.map((name) => `\`${name}\``).join()}${query.slice(all.length)}`;
}
