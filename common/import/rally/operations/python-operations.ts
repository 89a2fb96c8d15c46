/**
 * Converts operations that depend on the Python code of a track. Dyno does not execute this code. If the user names a Python interpreter
 * with Rally, Rally executes the code and reports the requests (`expansion.ts`). The operation is then converted to these requests. Values
 * that differ between its executions come from a file.
 */
import { parseExact, stringifyExact } from '../../../json/exact';
import { nearest } from '../../../near';
import { METHODS, type Method } from '../../../requests/kind';
import { isParameterName } from '../../../requests/template';
import type { RecordedRequest } from '../expansion';
import { isOnce } from '../pace';
import { isSameJson } from '../same';
import { drawn, type Wire } from '../wire';
import { timeoutOf, Unfit, type Conversion, type Given } from './operation';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Maximum number of values in the body of a request that may differ between executions of the operation. If more values differ, the file
 * contains whole bodies instead of single values.
 */
const MOST_COLUMNS = 20;

/**
 * Maximum length, in characters, of a value that is written completely to the file with values. Of a longer value, the file contains only
 * the part that differs between executions of the operation.
 */
const SHORT_VALUE = 200;

/**
 * Content type of a body that is valid JSON only after the values are inserted. With `application/json`, Dyno would parse the body before
 * the values are inserted. Elasticsearch treats both types in the same way.
 */
const PART_OF_JSON = 'application/json; charset=utf-8';

/** Returns the reason why an operation with Python code was left out, and how the user can import it. */
function withoutPython(what: string, { track: { benchmark } }: Given): Conversion {
  return { left: benchmark.expand === undefined ? what : `${what}; ${benchmark.expand}` };
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const haveSameKeys = (values: readonly Fields[]): boolean => {
  const first = Object.keys(values[0]!);
  return values.every((value) => isSameJson(Object.keys(value), first));
};

/**
 * The columns of a file with values. A column belongs to one position in the requests at which the values differ. It contains the value at
 * this position for each execution of the operation.
 */
class Columns {
  readonly values = new Map<string, readonly unknown[]>();

  /** `taken`: names of columns that the same file already has. */
  constructor(private readonly taken: readonly string[] = []) {}

  get names(): readonly string[] {
    return [...this.taken, ...this.values.keys()];
  }

  /** Number of characters of all values in all columns. */
  get length(): number {
    return [...this.values.values()]
      .flat()
      .reduce<number>((sum, one) => sum + stringifyExact(one ?? null).length, 0);
  }

  take(other: Columns): void {
    for (const [name, values] of other.values) this.values.set(name, values);
  }

  /** Adds a column. Returns the placeholder that represents its value in a request. */
  add(key: string, values: readonly unknown[]): string {
    const name = key.replaceAll(/\W+/g, '_').replaceAll(/^[\d_]+|_+$/g, '');
    const own = isParameterName(name) ? name : 'value';
    for (let number = 1; ; number += 1) {
      const candidate = number === 1 ? own : `${own}_${number}`;
      if (this.names.includes(candidate)) continue;
      this.values.set(candidate, values);
      return drawn(candidate);
    }
  }

  /**
   * Combines the values of all executions of the operation at one position of a request into a single value. Where the values differ, the
   * result contains a placeholder, and the values become a column of the file. `key`: key of the value, from which columns get their names.
   */
  fold(key: string, values: readonly unknown[]): unknown {
    const [first] = values;
    // Values are compared as text, because the order of keys matters.
    const text = stringifyExact(first ?? null);
    if (values.every((value) => typeof value === typeof first && stringifyExact(value ?? null) === text))
      return first;
    if (values.every(isObject) && haveSameKeys(values))
      return Object.fromEntries(
        Object.keys(first as Fields).map((inner) => [
          inner,
          this.fold(
            inner,
            values.map((value) => value[inner]),
          ),
        ]),
      );
    // Only lists of objects are compared item by item. Every other list, such as a vector, becomes one column if it differs.
    if (values.every((value) => Array.isArray(value) && value.every(isObject))) {
      const lists = values as readonly (readonly unknown[])[];
      if (lists.every(({ length }) => length === lists[0]!.length))
        return lists[0]!.map((_, at) =>
          this.fold(
            key,
            lists.map((list) => list[at]),
          ),
        );
    }
    return this.add(key, values);
  }
}

function wireOf({ method, path, params, headers, type, body }: RecordedRequest): Wire {
  if (!METHODS.includes(method as Method))
    throw new Unfit(`sends ${method} (allowed: ${METHODS.join(', ')})`);
  const wire = { method: method as Method, path, params, headers };
  if (body === null) return wire;
  const asText = { ...wire, body, ...(type === null ? {} : { contentType: type }) };
  if (type?.includes('ndjson') === true) return asText;
  try {
    const value = parseExact(body);
    return typeof value === 'object' && value !== null ? { ...wire, body: value } : asText;
  } catch {
    return asText;
  }
}

/**
 * Combines several requests into one template with placeholders where the requests differ. `wires`: the requests at the same position in
 * the executions of an operation, one for each execution.
 */
function foldWires(wires: readonly Wire[], columns: Columns): Wire {
  const params = columns.fold(
    'params',
    wires.map((wire) => wire.params ?? {}),
  );
  if (!isObject(params)) throw new Unfit('sends different parameters in each call');
  const folded: Wire = { ...wires[0]!, params: params as Wire['params'] };
  const bodies = wires.map(({ body }) => body);
  if (bodies.every((body) => body === undefined)) return folded;
  if (bodies.includes(undefined)) throw new Unfit('sends a body in only some of its calls');
  const own = new Columns(columns.names);
  const body = own.fold('body', bodies);
  if (bodies.some((one) => typeof one === 'string')) {
    columns.take(own);
    return { ...folded, body };
  }
  const between = betweenCommonEnds(bodies.map((one) => stringifyExact(one)));
  const isFolded = isObject(body) || Array.isArray(body);
  const isShort = own.length <= Math.max(SHORT_VALUE * bodies.length, 4 * between.length);
  if (isFolded && own.values.size <= MOST_COLUMNS && isShort) {
    columns.take(own);
    return { ...folded, body };
  }
  const { begin, end, middles } = between;
  return { ...folded, body: `${begin}${columns.add('body', middles)}${end}`, contentType: PART_OF_JSON };
}

/**
 * Returns the beginning and the end that all texts have in common, and for each text the part between them. `length`: total length of these
 * parts, in characters.
 */
function betweenCommonEnds(texts: readonly string[]): {
  begin: string;
  end: string;
  middles: string[];
  length: number;
} {
  const [first] = texts;
  let from = 0;
  const shortest = Math.min(...texts.map((text) => text.length));
  while (from < shortest && texts.every((text) => text.charCodeAt(from) === first!.charCodeAt(from)))
    from += 1;
  // A pair of surrogates (one character) must not be split.
  if (/[\uD800-\uDBFF]/.test(first!.charAt(from - 1))) from -= 1;
  let back = 0;
  const codeAt = (text: string, place: number): number => text.charCodeAt(text.length - 1 - place);
  while (back < shortest - from && texts.every((text) => codeAt(text, back) === codeAt(first!, back)))
    back += 1;
  if (/[\uDC00-\uDFFF]/.test(first!.charAt(first!.length - back))) back -= 1;
  const middles = texts.map((text) => text.slice(from, text.length - back));
  return {
    begin: first!.slice(0, from),
    end: first!.slice(first!.length - back),
    middles,
    length: middles.reduce((sum, middle) => sum + middle.length, 0),
  };
}

const MAKES_DOCUMENTS = /(?:^|\/)_bulk$/;

/** Returns a file name without characters that some operating systems forbid. */
const fileName = (task: string): string =>
  `${task.replaceAll(/[^\w-]/g, (character) => `_${character.codePointAt(0)!.toString(16)}`).slice(0, 80)}.ndjson`;

/** Converts the requests that Rally reported. `calls`: a list of requests for each execution of the operation. */
function ofCalls(given: Given, calls: readonly (readonly RecordedRequest[])[]): Conversion {
  const { task, params, track, recorded } = given;
  const { name: benchmark } = track.benchmark;
  const shape = (call: readonly RecordedRequest[]): string =>
    call.map(({ method, path }) => `${method} ${path}`).join('\n');
  if (calls.some((call) => shape(call) !== shape(calls[0]!)))
    throw new Unfit('sends different requests in each call, but a definition always sends the same ones');
  if (calls[0]!.some(({ path }) => MAKES_DOCUMENTS.test(path)))
    return { left: 'sends documents that Python code generates', nearest: 'ingest from a generator' };
  const columns = new Columns();
  const wires = calls.map((call) => call.map(wireOf));
  const sends = wires[0]!.map((_, at) =>
    foldWires(
      wires.map((call) => call[at]!),
      columns,
    ),
  );
  const notes =
    recorded?.runner === true
      ? [
          'sends the requests of its Python code if every request succeeds; the handling of responses by the code is not converted',
        ]
      : [];
  const names = [...columns.values.keys()];
  if (names.length === 0) return { sends, ...timeoutOf(params), ...(notes.length === 0 ? {} : { notes }) };
  const file = fileName(task.name);
  const lines = calls.map((_, at) =>
    stringifyExact(Object.fromEntries(names.map((name) => [name, columns.values.get(name)![at] ?? null]))),
  );
  return {
    sends,
    ...timeoutOf(params),
    parameters: Object.fromEntries(
      names.map((name) => [name, { file: { path: file, column: name, order: 'in-turn' } }]),
    ),
    data: { file, text: `${lines.join('\n')}\n`, values: calls.length },
    notes: [
      ...notes,
      `repeats the first ${calls.length} values of its Python code: ${benchmark} calls the code for each request`,
    ],
  };
}

/**
 * Converts an operation that uses Python code of the track: a *parameter source*, which determines the parameters of a request, or a
 * *runner*, which sends the requests.
 */
export function pythonOperation(given: Given): Conversion {
  const { task, python, recorded } = given;
  const { source, type } = given.operation;
  const what =
    source === undefined
      ? `is executed by ${type}, which is written in Python`
      : `takes its parameters from ${source}, which is written in Python`;
  if (type === 'bulk') return { left: what, nearest: 'ingest from a generator, or from a file' };
  if (python.expansion === undefined) return withoutPython(what, given);
  if (recorded === undefined) return { left: `${what}; Rally's own schedule does not have this task` };
  if (recorded.left !== undefined) return { left: recorded.left };
  if (recorded.error !== undefined) return { left: `${what} and has failed: ${recorded.error}` };
  const { calls = [] } = recorded;
  // A task that runs once sends only the requests of the first execution.
  return ofCalls(given, isOnce(task) ? calls.slice(0, 1) : calls);
}

/** Returns why an operation of an unknown type is left out. `types`: all known types, for a suggestion. */
export function unknownOperation(given: Given, types: readonly string[]): Conversion {
  const { operation, python, track } = given;
  const { type } = operation;
  if (python.hasCode && python.expansion === undefined)
    return withoutPython(`is executed by ${type}, which is written in Python`, given);
  const candidates = operation.place === undefined ? [...track.operations, ...types] : types;
  const meant = nearest(type, candidates);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  const what =
    operation.place === undefined
      ? `is neither the name of an operation of the ${track.benchmark.track} nor a known type`
      : `has the unknown type ${type}`;
  return { left: `${what}${hint}` };
}
