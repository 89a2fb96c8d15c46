/**
 * Replaces names of indices in queries that are texts: ES|QL, SQL and PPL. A query is understood only if every place that can name an index
 * is known. All other queries are left out, because they could read other indices or change documents.
 */
import { isLeftOut, type LeftOut } from './index-map';

export type QueryLanguage = 'esql' | 'sql' | 'ppl';

/** Returns the names that replace recorded ones. */
type Resolve = (names: string[]) => readonly string[] | LeftOut;

/** Returns the query with other names, the reason why the names have no place, or null if the query is not understood. */
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

/** Beginnings of comments, which could hide the rest of a query. */
const COMMENTS: Readonly<Record<QueryLanguage, RegExp>> = {
  esql: /\/[/*]/,
  sql: /\/\*|--|#/,
  ppl: /\/[/*]|--|#/,
};

/** Returns the text with underscores within quotes, at the same positions. Null if a quote does not end, or for triple quotes. */
function withoutStrings(text: string, isEsql: boolean): string | null {
  if (isEsql && text.includes('"""')) return null;
  const quoted = isEsql ? /"(?:[^"\\]|\\.)*"|`[^`]*`/gs : /'[^']*'|"[^"]*"|`[^`]*`/gs;
  if (/['"`]/.test(text.replace(quoted, ''))) return null;
  return text.replace(quoted, (own) => `${own.charAt(0)}${'_'.repeat(own.length - 2)}${own.charAt(0)}`);
}

/** The commands of a query in ES|QL that read no index. */
const ESQL_CONSTANT = /^\s*(?:ROW|SHOW\s+INFO)\b/i;
/** The first command of a query in ES|QL, with its indices. */
const ESQL_SOURCE =
  /^(\s*(?:FROM|TS)\s+)((?:"[^"]*"|[\w.*<>{}/+:-]+)(?:\s*,\s*(?:"[^"]*"|[\w.*<>{}/+:-]+))*)/i;
/** Text that may follow the indices. */
const ESQL_REST = /^\s*(?:$|\||METADATA\b|\[\s*METADATA\b)/i;
/** Commands that read other indices, and sub-queries. A field may have the same name as a command. */
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

/** Returns the names in a list, of which each may have quotes around it and may be a list itself. */
const namesIn = (list: string): string[] =>
  list
    .replace(/["`]/g, '')
    .split(',')
    .map((name) => name.trim());

/** An index in a query in SQL. */
const SQL_SOURCE = /\b(FROM|JOIN)(\s*)("_*"|`_*`|[\w.*-]+|\()?/gi;
/** Text that may follow an index: an alias, and a clause or the end. A comma would name another index. */
const SQL_REST =
  /^(?:\s+(?:AS\s+)?(?:(?!WHERE|GROUP|HAVING|ORDER|LIMIT|JOIN|INNER|LEFT|RIGHT|FULL|CROSS|ON|UNION|MINUS|PIVOT)[a-z]\w*|"_*"|`_*`))?\s*(?:$|;\s*$|\)|\b(?:WHERE|GROUP|HAVING|ORDER|LIMIT|JOIN|INNER|LEFT|RIGHT|FULL|CROSS|ON|UNION|MINUS)\b)/i;

/** Functions and comparisons in which FROM precedes no index. */
const SQL_OTHER = /\b(?:EXTRACT|TRIM|SUBSTRING|OVERLAY)\s*\(|\bDISTINCT\s+FROM\b/i;

function sql(query: string, masked: string, resolve: Resolve): string | LeftOut | null {
  if (!/^\s*SELECT\b/i.test(masked) || /;(?!\s*$)/.test(masked) || SQL_OTHER.test(masked)) return null;
  let text = '';
  let from = 0;
  for (const match of masked.matchAll(SQL_SOURCE)) {
    const [whole, , blanks = '', source] = match;
    const end = match.index + whole.length;
    // The source of a sub-select has its own FROM.
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
/** Commands and clauses that read other indices. */
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
