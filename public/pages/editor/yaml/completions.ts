/** What the text editor offers while a request is written: parameters, paths that only read, and fields of the documents. */

export interface Known {
  fields: readonly { name: string; type: string }[];
  /** Of all tasks. */
  parameters: readonly string[];
}

export interface Completion {
  label: string;
  detail?: string;
  /** What is written in its place. */
  apply?: string;
}

export interface Completions {
  /** Where in the line what is completed begins. */
  from: number;
  options: Completion[];
  /** While what is typed looks so, the list stays. */
  validFor: RegExp;
}

/** Of `http`: what applications and operators ask, and what changes nothing. */
export const READING_PATHS: readonly string[] = [
  '/{{index}}/_search',
  '/{{index}}/_count',
  '/{{index}}/_doc/{{id}}',
  '/{{index}}/_source/{{id}}',
  '/{{index}}/_explain/{{id}}',
  '/{{index}}/_mget',
  '/{{index}}/_msearch',
  '/{{index}}/_search/template',
  '/{{index}}/_field_caps',
  '/{{index}}/_terms_enum',
  '/{{index}}/_termvectors/{{id}}',
  '/{{index}}/_validate/query',
  '/{{index}}/_rank_eval',
  '/{{index}}/_analyze',
  '/{{index}}/_mapping',
  '/{{index}}/_settings',
  '/{{index}}/_alias',
  '/{{index}}/_stats',
  '/{{index}}/_segments',
  '/_query',
  '/_sql',
  '/_render/template',
  '/_cluster/health',
  '/_cluster/stats',
  '/_nodes/stats',
  '/_cat/indices',
  '/_cat/shards',
  '/_cat/health',
  '/_resolve/index/{{index}}',
];

/** Below these a key is a field. */
const OF_FIELDS =
  'term|terms|match|match_phrase|match_phrase_prefix|match_bool_prefix|prefix|wildcard|regexp|fuzzy|range|fields|sort|geo_distance|geo_bounding_box';
/** The value of these is a field. */
const FIELD_KEYS = 'field|path|fields|time_field|tiebreaker_field|event_category_field|default_field';
/** A field as far as it is typed, with a quote before it or none. */
const TYPED = '["\']?([\\w@.*-]*)$';

const PARAMETER = /\{\{\s*(\w*)$/;
const PATH = /^\s*(?:-\s*)?(?:.*[{,]\s*)?["']?path["']?\s*:\s*["']?(\/[^\s"',]*)$/;
const VALUE = new RegExp(`["']?\\b(?:${FIELD_KEYS})["']?\\s*:\\s*(?:\\[(?:[^\\]]*,)?\\s*)?${TYPED}`);
const KEY = new RegExp(`["']?\\b(?:${OF_FIELDS})["']?\\s*:\\s*[{[](?:\\s*\\{)?\\s*${TYPED}`);
/** A line of its own, and the line above it that it belongs to. */
const OWN_LINE = new RegExp(`^\\s*(?:-\\s*)?${TYPED}`);
const OPENS = new RegExp(`\\b["']?(?:${OF_FIELDS})["']?\\s*:\\s*[{[]?\\s*$`);

const FIELD = /^[\w@.*-]*$/;

/** How far a line is indented; Infinity for an empty one, which belongs to nothing. */
const indentOf = (line: string): number => (line.trim() === '' ? Infinity : line.search(/\S/));

/** The nearest line above that is indented less. */
function parentOf(line: string, above: readonly string[]): string | undefined {
  const own = line.search(/\S|$/);
  return above.find((one) => indentOf(one) < own);
}

/**
 * What may follow at the end of `before`, the line as far as the cursor; `above` are the lines over it, the nearest first. Null for
 * nothing. `asked`: by a key, so fields are offered anywhere.
 */
export function completionsAt(
  before: string,
  above: readonly string[],
  { fields, parameters }: Known,
  asked = false,
): Completions | null {
  const parameter = PARAMETER.exec(before);
  if (parameter !== null) {
    const from = before.length - parameter[1]!.length;
    return { from, options: ['index', ...parameters].map((label) => ({ label })), validFor: /^\w*$/ };
  }
  const path = PATH.exec(before);
  if (path !== null) {
    const from = before.length - path[1]!.length;
    return { from, options: READING_PATHS.map((label) => ({ label })), validFor: /^\/[^\s"',]*$/ };
  }
  const parent = parentOf(before, above);
  const typed =
    KEY.exec(before) ??
    VALUE.exec(before) ??
    (parent !== undefined && OPENS.test(parent) ? OWN_LINE.exec(before) : null) ??
    (asked ? new RegExp(TYPED).exec(before) : null);
  if (typed === null || fields.length === 0) return null;
  const from = before.length - typed[1]!.length;
  const isQuoted = /["']/.test(before[from - 1] ?? '');
  return {
    from,
    // YAML takes no text that begins with @ without quotes.
    options: fields.map(({ name, type }) => ({
      label: name,
      detail: type,
      ...(name.startsWith('@') && !isQuoted ? { apply: `'${name}'` } : {}),
    })),
    validFor: FIELD,
  };
}
