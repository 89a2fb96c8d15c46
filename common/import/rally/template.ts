/**
 * Jinja as Rally renders its tracks: files that include and collect others, and Rally's own helpers and filters. An interpreter
 * renders, so a template can compute nothing but text; its steps are counted, its files come from one folder.
 */
import { Environment, Interpreter, parse, tokenize } from '@huggingface/jinja';
import { inputError, messageOf } from '../../problem';

/** The files of a track, by paths relative to its folder, with `/`. Each throws a DynoError for what is outside of it. */
export interface TrackFiles {
  read(path: string): string;
  /** Paths that a pattern with `*` and `?` stands for, sorted. */
  glob(pattern: string): string[];
}

export interface TemplateInput {
  files: TrackFiles;
  /** What `--set` gave. */
  params: Readonly<Record<string, unknown>>;
  /** ms since the epoch. */
  now: number;
  /** Told of each name in a template, whether it is asked for or not. */
  onName?: (name: string) => void;
}

/** Files within files, at most so deep. */
const DEEPEST = 20;
/** Characters of a template with all that it includes, and of what it becomes: the largest of Rally's own has one million. */
const LONGEST = 50_000_000;
/** Expressions and statements of one rendering; Rally's own tracks need 250,000 at most. */
const MOST_STEPS = 500_000;
const LONGEST_RANGE = 100_000;

const directory = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
const wrong = (path: string, message: string, allowed?: string): Error =>
  inputError('rally.template', path, message, allowed === undefined ? {} : { allowed });

const COLLECT = /\{\{-?\s*(?:rally|benchmark)\.collect\(\s*(?:parts\s*=\s*)?(["'])(.+?)\1\s*\)\s*-?\}\}/;
const INCLUDE = /\{%-?\s*include\s+(["'])(.+?)\1\s*(?:with(?:out)?\s+context\s*)?-?%\}/;
const IMPORT = /\{%-?\s*import\s+(["'])(.+?)\1\s+as\s+(\w+)\s*(?:with(?:out)?\s+context\s*)?-?%\}/;
const RAW = /\{%-?\s*raw\s*-?%\}([\s\S]*?)\{%-?\s*endraw\s*-?%\}/;
const COMMENT = /\{#[\s\S]*?#\}/;
const PARTS = new RegExp(
  [COMMENT, RAW, IMPORT, INCLUDE, COLLECT]
    .map(({ source }) => `(?:${source})`)
    .join('|')
    .replaceAll('\\1', '["\']'),
  'g',
);

const RAW_NAME = '__raw_';

/** What Rally and OpenSearch Benchmark call their helpers, which are the same. */
const HELPERS = ['rally', 'benchmark'];

/** A test with a value, which the interpreter does not parse: `a is equalto b` is `a == b`. */
const EQUAL_TO = /\bis\s+(not\s+)?(?:equalto|eq|sameas)\s+('[^']*'|"[^"]*"|[\w.]+)/g;
const TAG = /\{[%{][\s\S]*?[%}]\}/g;
/** Names for a part of a template, which the interpreter does not bring: a loop of one round forgets them, too. */
const WITH = /\{%-?\s*with\s+(\w+\s*=[\s\S]*?)-?%\}/g;
const ENDWITH = /\{%-?\s*endwith\s*-?%\}/g;
const asLoops = (source: string): string =>
  source
    .replaceAll(WITH, (_, names: string) => {
      const each = names.split(/,(?=\s*\w+\s*=[^=])/).map((one) => `{% set ${one.trim()} %}`);
      return `{% for with_ in [1] %}${each.join('')}`;
    })
    .replaceAll(ENDWITH, '{% endfor %}');
const asOperators = (source: string): string =>
  source.replaceAll(TAG, (tag) =>
    tag.replaceAll(EQUAL_TO, (_, not, value: string) => `${not === undefined ? '==' : '!='} ${value}`),
  );

interface Assembled {
  source: string;
  /** Texts that are no templates, by the names that stand for them. */
  raw: Record<string, string>;
}

/**
 * A template with all parts in their places. Rally looks for what is collected beside the file that collects it, and for what is
 * included in the folder of the track (or of the template that is rendered).
 */
function assemble(source: string, path: string, files: TrackFiles, root: string): Assembled {
  const raw: Record<string, string> = {};
  let length = 0;
  const put = (text: string, own: string, depth: number): string => {
    length += text.length;
    if (length > LONGEST) throw wrong(path, `is longer than ${LONGEST} characters with what it includes`);
    if (depth > DEEPEST)
      throw wrong(own, `is included more than ${DEEPEST} deep`, 'files that do not include themselves');
    return text.replaceAll(PARTS, (part) => {
      const kept = RAW.exec(part);
      if (part.startsWith('{#')) return '';
      if (kept !== null) {
        const name = `${RAW_NAME}${Object.keys(raw).length}`;
        raw[name] = kept[1]!;
        return `{{ ${name} }}`;
      }
      const [, , imported, as] = IMPORT.exec(part) ?? [];
      if (imported !== undefined) {
        if (HELPERS.some((name) => imported === `${name}.helpers` && as === name)) return '';
        throw wrong(
          own,
          `imports ${imported} as ${as}`,
          'rally.helpers as rally, benchmark.helpers as benchmark, or an include',
        );
      }
      const [, , included] = INCLUDE.exec(part) ?? [];
      if (included !== undefined) return put(files.read(root + included), root + included, depth + 1);
      const [, , pattern] = COLLECT.exec(part)!;
      return files
        .glob(directory(own) + pattern!)
        .map((one) => put(files.read(one), one, depth + 1))
        .join(',\n');
    });
  };
  return { source: asOperators(asLoops(put(source, path, 0))), raw };
}

type Node = { type: string } & Record<string, unknown>;
type Runtime = ReturnType<Environment['lookupVariable']>;

/** A value of JavaScript as the interpreter has it. */
const runtime = (value: unknown): Runtime => new Environment().set('value', value);

/** What the interpreter has, as a value of JavaScript. */
function plain({ type, value }: Runtime): unknown {
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, inner]) => [key, plain(inner as Runtime)]));
  if (Array.isArray(value)) return value.map((inner) => plain(inner as Runtime));
  return type === 'UndefinedValue' ? undefined : value;
}

const DAY_MS = 86_400_000;
const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Of a date as Rally's filter takes it: day, month, year. */
function dayOf(value: unknown): number {
  const [, day, month, year] = /^(\d\d?)-(\d\d?)-(\d{4})$/.exec(String(value)) ?? [];
  if (year === undefined) throw new Error(`${JSON.stringify(value)} is no date such as 15-05-1998`);
  return Date.UTC(Number(year), Number(month) - 1, Number(day));
}

const numbers = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : []);

/** Half to even as Python rounds, or up or down. */
function rounded(value: number, digits: number, way: unknown): number {
  const factor = 10 ** digits;
  const scaled = value * factor;
  const floor = Math.floor(scaled);
  if (way === 'ceil') return Math.ceil(scaled) / factor;
  if (way === 'floor') return floor / factor;
  const up = scaled - floor > 0.5 || (scaled - floor === 0.5 && floor % 2 !== 0);
  return (up ? floor + 1 : floor) / factor;
}

/** `%s` and `%d` of a text in turn. */
const formatted = (text: string, given: readonly unknown[]): string => {
  let next = 0;
  return text.replaceAll(/%[sd%]/g, (mark) => (mark === '%%' ? '%' : String(given[next++])));
};

/** Filters of Jinja and of Rally that the interpreter does not bring. */
const FILTERS: Readonly<Record<string, (value: unknown, ...given: unknown[]) => unknown>> = {
  length: (value) =>
    typeof value === 'string' || Array.isArray(value) ? value.length : Object.keys(value ?? {}).length,
  min: (value) => Math.min(...numbers(value)),
  max: (value) => Math.max(...numbers(value)),
  sum: (value) => numbers(value).reduce((sum, one) => sum + one, 0),
  round: (value, digits, way) => rounded(Number(value), typeof digits === 'number' ? digits : 0, way),
  format: (value, ...given) => formatted(String(value), given),
  reject: (value, test, given) => {
    if (test !== 'equalto' && test !== 'eq' && test !== '==' && test !== 'in')
      throw new Error(`the filter reject by ${JSON.stringify(test)} is not known: in or equalto`);
    const among = test === 'in' && Array.isArray(given) ? given : [given];
    return (Array.isArray(value) ? (value as unknown[]) : []).filter((one) => !among.includes(one));
  },
  days_ago: (value, now) => Math.floor((Number(now) * 1000 - dayOf(value)) / DAY_MS),
  get_start_date: (value) => isoDay(Number(value) * 1000),
  get_end_date: (value, days) => isoDay(Number(value) * 1000 + Number(days ?? 1) * DAY_MS),
};

/** Counts its steps, and knows Rally's filters. */
class Renderer extends Interpreter {
  private steps = 0;

  constructor(
    environment: Environment,
    private readonly path: string,
  ) {
    super(environment);
  }

  override evaluate(...[statement, environment]: Parameters<Interpreter['evaluate']>): Runtime {
    this.steps += 1;
    if (this.steps > MOST_STEPS) throw wrong(this.path, `takes more than ${MOST_STEPS} steps to render`);
    const node = statement as unknown as Node | undefined;
    // What is set within a round of a loop is forgotten with it.
    if (node?.type === 'For') {
      const body = { type: 'Round', body: node['body'] };
      return super.evaluate({ ...node, body: [body] } as unknown as typeof statement, environment);
    }
    if (node?.type === 'Round') {
      const round = new Environment(environment);
      const texts = (node['body'] as (typeof statement)[]).map((inner) => shown(this.evaluate(inner, round)));
      return runtime(texts.join(''));
    }
    if (node?.type === 'BinaryExpression' && (node['operator'] as Node)['value'] === '~') {
      const [left, right] = [node['left'], node['right']].map((side) =>
        this.evaluate(side as typeof statement, environment),
      );
      return runtime(shown(left!) + shown(right!));
    }
    if (node?.type === 'CallExpression') {
      const changed = this.dictionary(node, environment);
      if (changed !== undefined) return changed;
    }
    // The interpreter unpacks lists in a loop, no tuples.
    if (node?.type === 'TupleLiteral') {
      return super.evaluate({ ...node, type: 'ArrayLiteral' } as typeof statement, environment);
    }
    if (node?.type === 'FilterExpression') {
      const filter = node['filter'] as Node;
      const called = filter.type === 'CallExpression';
      const name = ((called ? filter['callee'] : filter) as Node)['value'] as string;
      const own = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
      if (own !== undefined) {
        const value = (inner: unknown): unknown =>
          plain(this.evaluate(inner as typeof statement, environment));
        const made = own(value(node['operand']), ...(called ? (filter['args'] as unknown[]) : []).map(value));
        // Python rounds to a number with a point, which shows where it becomes text.
        if (name === 'round')
          return super.evaluate({ type: 'FloatLiteral', value: made } as typeof statement, environment);
        return runtime(made);
      }
    }
    return super.evaluate(statement, environment);
  }

  /** `copy` and `update` of a dictionary, which the interpreter does not bring; undefined for any other call. */
  private dictionary(node: Node, environment: Parameters<Interpreter['evaluate']>[1]): Runtime | undefined {
    const callee = node['callee'] as Node;
    const method =
      callee.type === 'MemberExpression' && callee['computed'] !== true
        ? (callee['property'] as Node)['value']
        : '';
    if (method !== 'copy' && method !== 'update') return undefined;
    const of = (inner: unknown): Runtime =>
      this.evaluate(inner as Parameters<Interpreter['evaluate']>[0], environment);
    const object = of(callee['object']);
    if (object.type !== 'ObjectValue') return undefined;
    const entries = object.value as Map<string, Runtime>;
    if (method === 'copy') return runtime(plain(object));
    const given = (node['args'] as unknown[]).map(of)[0]?.value;
    if (given instanceof Map) for (const [key, value] of given) entries.set(String(key), value as Runtime);
    return runtime(null);
  }
}

/** Jinja's helper for commas: nothing at first, then what it was given. */
function joiner(comma = ', '): Runtime {
  let calls = 0;
  return called((): Runtime => runtime(calls++ === 0 ? '' : comma));
}

/** As text, where it is written out. */
const shown = (value: Runtime): string =>
  value.type === 'NullValue' || value.type === 'UndefinedValue' ? '' : value.toString();

const SET_PARAM = ['setting_name', 'value', 'default_value', 'comma'];

/** Rally's helper: a setting where it, or a default of it, is given. */
function existsSetParam(name: unknown, value: unknown, fallback?: unknown, comma: unknown = true): string {
  const given = value ?? fallback;
  if (given === undefined || given === null) return '';
  return `${comma === true ? ', ' : ''}${JSON.stringify(name)}: ${JSON.stringify(given)}`;
}

/** A function that gets what the interpreter has: its own conversion takes scalars only. */
function called(own: (args: Runtime[]) => Runtime): Runtime {
  const made = runtime(() => '');
  (made as { value: unknown }).value = own;
  return made;
}

/** Positional arguments and named ones, which come last as one value, in the order of `names`. */
function inOrder(args: readonly Runtime[], names: readonly string[]): unknown[] {
  const last = args.at(-1);
  const named = last?.type === 'KeywordArgumentsValue' ? (plain(last) as Record<string, unknown>) : {};
  const placed = (last?.type === 'KeywordArgumentsValue' ? args.slice(0, -1) : args).map(plain);
  return names.map((name, at) => placed[at] ?? named[name]);
}

function range(...given: number[]): number[] {
  const [from, to, step] = given.length === 1 ? [0, given[0]!, 1] : [given[0]!, given[1]!, given[2] ?? 1];
  const count = Math.max(0, Math.ceil((to - from) / step));
  if (!(count <= LONGEST_RANGE)) throw new Error(`a range of ${count} numbers: at most ${LONGEST_RANGE}`);
  return Array.from({ length: count }, (_, at) => from + at * step);
}

/** All names that stand in a template. */
function tellNames(node: unknown, onName: (name: string) => void): void {
  if (typeof node !== 'object' || node === null) return;
  const { type, value } = node as Node;
  if (type === 'Identifier') onName(String(value));
  for (const inner of Object.values(node)) tellNames(inner, onName);
}

const CONSTANTS = {
  true: true,
  false: false,
  none: null,
  True: true,
  False: false,
  None: null,
  build_flavor: 'default',
  serverless_operator: false,
};

/** What a template becomes; `root`: the folder that includes are relative to. Throws a DynoError (`input`). */
export function render(
  path: string,
  { files, params, now, onName }: TemplateInput,
  root = directory(path),
): string {
  const { source, raw } = assemble(files.read(path), path, files, root);
  const environment = new Environment();
  const helper = called((args) =>
    runtime(existsSetParam(...(inOrder(args, SET_PARAM) as [unknown, unknown]))),
  );
  const helpers = Object.fromEntries(HELPERS.map((name) => [name, runtime({})]));
  for (const own of Object.values(helpers))
    (own.value as Map<string, Runtime>).set('exists_set_param', helper);
  const known: Record<string, Runtime> = {
    ...Object.fromEntries(Object.entries(CONSTANTS).map(([name, value]) => [name, runtime(value)])),
    ...helpers,
    now: runtime(now / 1000),
    range: runtime(range),
    joiner: called(([comma]) => joiner(comma === undefined ? undefined : String(comma.value))),
  };
  const taken = Object.keys(params).find((name) => Object.hasOwn(known, name) || name.startsWith(RAW_NAME));
  if (taken !== undefined)
    throw wrong(`--set ${taken}`, 'is a name of the templates themselves', 'another name');
  for (const [name, value] of Object.entries({ ...params, ...raw }))
    environment.setVariable(name, runtime(value));
  for (const [name, value] of Object.entries(known)) environment.setVariable(name, value);
  try {
    const program = parse(tokenize(source));
    if (onName !== undefined) tellNames(program, onName);
    const text = new Renderer(environment, path).run(program).toString();
    if (text.length > LONGEST) throw wrong(path, `becomes longer than ${LONGEST} characters`);
    return text;
  } catch (error) {
    if (error instanceof Error && 'problems' in error) throw error;
    throw wrong(path, `cannot be rendered: ${messageOf(error)}`);
  }
}

/** The same as JSON. */
export function renderJson(path: string, input: TemplateInput, root?: string): unknown {
  const text = render(path, input, root);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrong(path, `is no JSON once it is rendered: ${messageOf(error)}`);
  }
}
