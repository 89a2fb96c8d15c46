/**
 * Computes the completions that text editors offer: keys (of search bodies, mappings, settings and requests), field names, parameters, and
 * paths of read-only APIs.
 */
import { keysBelow, valuesAt } from '../../../../common/elasticsearch/body-keys';
import { cursorOf } from '../../../../common/experiment/text/cursor';
import { REQUEST_KINDS } from '../../../../common/requests/registry';

export interface Known {
  fields: readonly { name: string; type: string }[];
  /** Names of the parameters (placeholders in requests) that tasks of the definition define. */
  parameters: readonly string[];
}

export interface Completion {
  label: string;
  detail?: string;
  /** Text that is inserted for the completion. If undefined, the label is inserted. */
  apply?: string;
}

export interface Completions {
  /** Position in the line at which the completed text begins. */
  from: number;
  options: Completion[];
  /** While the typed text matches this pattern, the list of completions stays open and is only filtered. */
  validFor: RegExp;
}

/** Paths of read-only APIs that are offered for requests of the kind `http`. */
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

const PARAMETER = /\{\{\s*(\w*)$/;
const PATH = /^\s*(?:-\s*)?(?:.*[{,]\s*)?["']?path["']?\s*:\s*["']?(\/[^\s"',]*)$/;
/** Matches a partial key, word or field name. */
const NAME = /^[\w@.*-]*$/;

/** Keys of the definition whose value is a list of requests. The key of a request in such a list, such as `esql`, is its kind. */
const REQUEST_LISTS: readonly string[] = ['list', 'requests'];

/** Returns the keys that the request at the end of `path` may have. Empty if `path` does not end at a request in a list. */
function keysOfRequest(path: readonly string[]): string[] {
  if (!REQUEST_LISTS.includes(path.at(-2) ?? '')) return [];
  const kind = REQUEST_KINDS.find(({ name }) => name === path.at(-1));
  return Object.keys(kind?.schema.shape ?? {});
}

/** Maximum number of characters before the cursor that are read. In longer texts, reading starts at a line near the cursor. */
const MOST_READ = 200_000;

/** Maximum number of characters of a line that are searched for parameters and paths. */
const LONGEST_LINE = 1000;

/**
 * Returns the completions at the end of `text`; null if nothing can be completed. `path`: keys of the definition that lead to the text,
 * from the outermost, without positions in lists. `asked`: whether the user has pressed the key for completion. Then field names are
 * offered if nothing else fits.
 */
export function completionsAt(
  text: string,
  path: readonly string[],
  { fields, parameters }: Known,
  asked = false,
): Completions | null {
  const line = text.slice(text.lastIndexOf('\n') + 1).slice(-LONGEST_LINE);
  const parameter = PARAMETER.exec(line);
  if (parameter !== null) {
    const from = text.length - parameter[1]!.length;
    return { from, options: ['index', ...parameters].map((label) => ({ label })), validFor: /^\w*$/ };
  }
  const url = PATH.exec(line);
  if (url !== null) {
    const from = text.length - url[1]!.length;
    return { from, options: READING_PATHS.map((label) => ({ label })), validFor: /^\/[^\s"',]*$/ };
  }
  const cursor = cursorOf(
    text.length <= MOST_READ ? text : text.slice(text.indexOf('\n', text.length - MOST_READ) + 1),
  );
  if (cursor === null || !NAME.test(cursor.typed)) return null;
  const { keys, at, typed, quote, isJson } = cursor;
  // After an opening bracket, Enter should insert a new line, so no completions are offered.
  if (!asked && typed === '' && !/[ "']$/.test(line)) return null;
  const around = [...path, ...keys];
  const offered = [
    ...(at === 'value' ? [] : [keysBelow(around), { words: keysOfRequest(around), fields: false }]),
    ...(at === 'key' ? [] : [valuesAt(around)]),
  ];
  const words = offered.flatMap((one) => one.words);
  const withFields = offered.some((one) => one.fields) || (asked && words.length === 0);
  const options = [
    ...words.map((label) => ({ label, ...written(label, quote, isJson) })),
    ...(withFields ? fields : []).map(({ name, type }) => ({
      label: name,
      detail: type,
      ...written(name, quote, isJson),
    })),
  ];
  return options.length === 0 ? null : { from: text.length - typed.length, options, validFor: NAME };
}

/**
 * Returns the text that is inserted for a completion, if it differs from the label. JSON needs quotes. YAML needs quotes only around a text
 * that begins with @ or *.
 */
function written(label: string, quote: string, isJson: boolean): { apply?: string } {
  if (quote !== '') return {};
  if (isJson) return /^(?:true|false)$/.test(label) ? {} : { apply: `"${label}"` };
  return /^[@*]/.test(label) ? { apply: `'${label}'` } : {};
}
