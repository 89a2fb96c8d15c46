/**
 * Jinja as Rally renders its tracks: files that include and collect others, and Rally's own helpers and filters. An interpreter
 * renders, so a template can compute nothing but text; its steps are counted, its files come from one folder.
 */
import { Environment, Interpreter, parse, tokenize } from '@huggingface/jinja';
import { JsonNotHeld, jsonOfText, parseExact, stringifyPlain, type OnRepeatedKey } from '../../json/exact';
import { DynoError, inputError, messageOf } from '../../problem';
import { jsonFault } from './json-fault';
import {
  linesAround,
  linesIn,
  replacePieces,
  textOf,
  withoutCredentials,
  type Piece,
  type Place,
} from './pieces';

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
const asLoops = (pieces: readonly Piece[]): Piece[] =>
  replacePieces(
    replacePieces(pieces, WITH, ([, names]) => {
      const each = names!.split(/,(?=\s*\w+\s*=[^=])/).map((one) => `{% set ${one.trim()} %}`);
      return `{% for with_ in [1] %}${each.join('')}`;
    }),
    ENDWITH,
    () => '{% endfor %}',
  );
const asOperators = (pieces: readonly Piece[]): Piece[] =>
  pieces.map((piece) => ({
    ...piece,
    text: piece.text.replaceAll(TAG, (tag) =>
      tag.replaceAll(EQUAL_TO, (_, not, value: string) => `${not === undefined ? '==' : '!='} ${value}`),
    ),
  }));

interface Assembled {
  pieces: Piece[];
  /** Texts that are no templates, by the names that stand for them. */
  raw: Record<string, string>;
}

/**
 * A template with all parts in their places. Rally looks for what is collected beside the file that collects it, and for what is
 * included in the folder of the track (or of the template that is rendered).
 */
function assemble(path: string, files: TrackFiles, root: string): Assembled {
  const raw: Record<string, string> = {};
  let length = 0;
  const put = (text: string, file: string, depth: number): Piece[] => {
    length += text.length;
    if (length > LONGEST) throw wrong(path, `is longer than ${LONGEST} characters with what it includes`);
    if (depth > DEEPEST)
      throw wrong(file, `is included more than ${DEEPEST} deep`, 'files that do not include themselves');
    return replacePieces([{ text, file, line: 1 }], PARTS, ([part], place) => {
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
          whereOf(place),
          `imports ${imported} as ${as}`,
          'rally.helpers as rally, benchmark.helpers as benchmark, or an include',
        );
      }
      const [, , included] = INCLUDE.exec(part) ?? [];
      if (included !== undefined)
        return put(readPart(files, root + included, place), root + included, depth + 1);
      const [, , pattern] = COLLECT.exec(part)!;
      return files
        .glob(directory(file) + pattern!)
        .flatMap((one, at) => [
          ...(at === 0 ? [] : [{ text: ',\n', ...place }]),
          ...put(files.read(one), one, depth + 1),
        ]);
    });
  };
  return { pieces: asOperators(asLoops(put(files.read(path), path, 0))), raw };
}

const whereOf = ({ file, line }: Place): string => `${file}:${line}`;

/** A file that another one includes. Its error names both. */
function readPart(files: TrackFiles, path: string, includer: Place): string {
  try {
    return files.read(path);
  } catch (error) {
    if (!(error instanceof DynoError)) throw error;
    const [problem] = error.problems;
    const message = `${problem!.message}: ${whereOf(includer)} includes it`;
    throw new DynoError(error.kind, [{ ...problem!, message }]);
  }
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
  if (year === undefined) throw new Error(`${jsonOfText(String(value))} is no date such as 15-05-1998`);
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
      throw new Error(`the filter reject by ${jsonOfText(String(test))} is not known: in or equalto`);
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

  /** Place of the tag that is being rendered, or at which an error was thrown. */
  tag: Tag | undefined;

  constructor(
    environment: Environment,
    private readonly path: string,
    private readonly tags: ReadonlyMap<object, Tag> = new Map(),
  ) {
    super(environment);
  }

  override evaluate(...[statement, environment]: Parameters<Interpreter['evaluate']>): Runtime {
    const own = statement === undefined ? undefined : this.tags.get(statement);
    if (own === undefined) return this.evaluated(statement, environment);
    const outer = this.tag;
    this.tag = own;
    const value = this.evaluated(statement, environment);
    this.tag = outer;
    return value;
  }

  private evaluated(...[statement, environment]: Parameters<Interpreter['evaluate']>): Runtime {
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
  return `${comma === true ? ', ' : ''}${stringifyPlain(name)}: ${stringifyPlain(given)}`;
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

/** A tag of a template: `{{ ... }}` or `{% ... %}`. */
interface Tag {
  text: string;
  place: Place;
}

type Token = ReturnType<typeof tokenize>[number];

/** No tag spans several pieces. */
const tagsIn = (pieces: readonly Piece[]): Tag[] =>
  pieces.flatMap(({ text, file, line }) => {
    let [from, at] = [0, line];
    return [...text.matchAll(TAG)].map(({ 0: tag, index }) => {
      at += linesIn(text.slice(from, index));
      from = index;
      return { text: tag, place: { file, line: at } };
    });
  });

/** The first word of a statement; '' of an expression. */
const keyword = ({ text }: Pick<Tag, 'text'>): string => /^\{%[-+]?\s*(\w+)/.exec(text)?.[1] ?? '';

/** `{{ "text" }}` becomes text: the two cannot be told apart once they are parsed. */
function withoutLiterals(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (const token of tokens) {
    const [open, literal] = kept.slice(-2);
    if (
      token.type === 'CloseExpression' &&
      literal?.type === 'StringLiteral' &&
      open?.type === 'OpenExpression'
    ) {
      kept.splice(-2, 2, { ...literal, type: 'Text' });
    } else kept.push(token);
  }
  return kept;
}

const LITERAL = /^\{\{-?\s*(?:"[^"]*"|'[^']*')\s*-?\}\}$/;

/** Statements and expressions that are written out, in the order of their tags. */
const writtenOut = (statements: readonly Node[]): Node[] =>
  statements.flatMap((node) =>
    node.type === 'StringLiteral'
      ? []
      : [
          node,
          ...['body', 'alternate', 'defaultBlock'].flatMap((key) =>
            writtenOut((node[key] as Node[] | undefined) ?? []),
          ),
        ],
  );

/** The tag of each statement; empty where they do not match one by one, so that no error names a wrong line. */
function tagsOf(statements: readonly Node[], tags: readonly Tag[]): Map<object, Tag> {
  const nodes = writtenOut(statements);
  const opening = tags.filter((tag) => !/^(?:else|end\w+)$/.test(keyword(tag)) && !LITERAL.test(tag.text));
  return new Map(nodes.length === opening.length ? nodes.map((node, at) => [node, opening[at]!]) : []);
}

const CLOSED_BY: Readonly<Record<string, string>> = {
  if: 'endif', for: 'endfor', macro: 'endmacro', call: 'endcall', filter: 'endfilter', set: 'endset',
}; // oxfmt-ignore

/** The first tag that is never closed. */
function unclosed(tags: readonly Tag[]): Tag | undefined {
  const open: Tag[] = [];
  for (const tag of tags) {
    const word = keyword(tag);
    if (word === 'set' ? !tag.text.includes('=') : CLOSED_BY[word] !== undefined) open.push(tag);
    else if (open.length > 0 && CLOSED_BY[keyword(open.at(-1)!)] === word) open.pop();
  }
  return open.at(-1);
}

/** The tag of the last token that the parser looked at. */
function tagOfToken(tokens: readonly Token[], last: number, tags: readonly Tag[]): Tag | undefined {
  const opened = tokens
    .slice(0, last + 1)
    .filter(({ type }) => type === 'OpenStatement' || type === 'OpenExpression');
  return tags[opened.length - 1];
}

/** The first tag that cannot be split into tokens. */
const unreadable = (tags: readonly Tag[]): Tag | undefined =>
  tags.find(({ text }) => {
    try {
      tokenize(text);
      return false;
    } catch {
      return true;
    }
  });

/** A name with hyphens, outside of texts. */
const KEBAB = /(?<![\w.-])[a-z_]\w*(?:-[a-z_]\w*)+/i;

/** Jinja subtracts where a name has hyphens. */
function kebabHint({ text }: Tag): string {
  const [name] = KEBAB.exec(text.replaceAll(/'[^']*'|"[^"]*"/g, '')) ?? [];
  return name === undefined
    ? ''
    : `; Jinja reads ${name} as a subtraction: if it is one name, write ${name.replaceAll('-', '_')}, here and in --set`;
}

/** An error of a template at one of its tags, with the lines around it. */
function faultAt(path: string, message: string, tag: Tag | undefined, files: TrackFiles): Error {
  if (tag === undefined) return wrong(path, `cannot be rendered: ${message}`);
  const { place } = tag;
  return wrong(
    whereOf(place),
    `cannot be rendered: ${message}${kebabHint(tag)}\n${linesAround(files.read(place.file), place.line)}`,
  );
}

/** Python has whole numbers of any length, the interpreter only those that JavaScript has. */
const isRounded = (literal: string): boolean =>
  /^-?\d+$/.test(literal) && !Number.isSafeInteger(Number(literal));

/** The text of a template, once it is assembled. */
function renderPieces(
  path: string,
  { pieces, raw }: Assembled,
  { files, params, now, onName }: TemplateInput,
): string {
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
  const tags = tagsIn(pieces);
  const fault = (error: unknown, tag: Tag | undefined): Error =>
    error instanceof DynoError ? error : faultAt(path, messageOf(error), tag, files);
  let tokens: Token[];
  try {
    tokens = tokenize(textOf(pieces));
  } catch (error) {
    throw fault(error, unreadable(tags));
  }
  const rounded = tokens.find(({ type, value }) => type === 'NumericLiteral' && isRounded(value));
  if (rounded !== undefined)
    throw fault(
      new Error(
        `computes with ${rounded.value}, which would be rounded: write the number outside of {{ }} and {% %}, or in quotes`,
      ),
      tags.find(({ text }) => text.includes(rounded.value)),
    );
  let last = 0;
  const watched = new Proxy(withoutLiterals(tokens), {
    get(target, key) {
      last = Math.max(last, Number(typeof key === 'string' && /^\d+$/.test(key) ? key : 0));
      return Reflect.get(target, key) as unknown;
    },
  });
  let program: ReturnType<typeof parse>;
  try {
    program = parse(watched);
  } catch (error) {
    const open = last >= watched.length ? unclosed(tags) : undefined;
    const shown = tags.filter(({ text }) => !LITERAL.test(text));
    throw open === undefined
      ? fault(error, tagOfToken(watched, last, shown))
      : fault(new Error(`${open.text} is never closed by {% ${CLOSED_BY[keyword(open)]} %}`), open);
  }
  if (onName !== undefined) tellNames(program, onName);
  const renderer = new Renderer(environment, path, tagsOf(program.body as unknown as Node[], tags));
  try {
    const text = renderer.run(program).toString();
    if (text.length > LONGEST) throw wrong(path, `becomes longer than ${LONGEST} characters`);
    return text;
  } catch (error) {
    throw fault(error, renderer.tag);
  }
}

/** What a template becomes; `root`: the folder that includes are relative to. Throws a DynoError (`input`). */
export const render = (path: string, input: TemplateInput, root = directory(path)): string =>
  renderPieces(path, assemble(path, input.files, root), input);

/** Characters that no text of a track needs: between them is the number of a place. */
const [MARK, END] = ['\uF8F0', '\uF8F1'];
const MARKED = new RegExp(`${MARK}(\\d+)${END}`, 'g');

/** The pieces with a mark wherever another line begins or a tag ends, and the places of the marks. */
function marked(pieces: readonly Piece[]): { pieces: Piece[]; places: Place[] } {
  const places: Place[] = [];
  // What a macro writes belongs to the line that calls it.
  let isMacro = false;
  const mark = (place: Place): string => `${MARK}${places.push(place) - 1}${END}`;
  const made = pieces.flatMap((piece) => {
    let [from, line] = [0, piece.line];
    let text = '';
    const put = (plain: string): void => {
      // The last part is empty where a tag begins a line.
      for (const [at, own] of plain.split('\n').entries())
        text += `${at === 0 ? '' : '\n'}${isMacro ? '' : mark({ file: piece.file, line: line + at })}${own}`;
      line += linesIn(plain);
    };
    for (const { 0: tag, index } of piece.text.matchAll(TAG)) {
      put(piece.text.slice(from, index));
      text += tag;
      const word = keyword({ text: tag });
      isMacro = word === 'macro' || (isMacro && word !== 'endmacro');
      line += linesIn(tag);
      from = index + tag.length;
    }
    put(piece.text.slice(from));
    return [{ ...piece, text }];
  });
  return { pieces: made, places };
}

const solid = (text: string): string => text.replaceAll(/\s/g, '');

/** Where the character at `offset` of a rendered text was written; undefined where that cannot be told. */
function sourceOf(
  path: string,
  text: string,
  offset: number,
  assembled: Assembled,
  input: TemplateInput,
): Place | undefined {
  const { pieces, places } = marked(assembled.pieces);
  let again: string;
  try {
    again = renderPieces(
      path,
      { pieces, raw: assembled.raw },
      { files: input.files, params: input.params, now: input.now },
    );
  } catch {
    return undefined;
  }
  // Marks may change what a template decides by its own texts, and white space around tags.
  if (solid(again.replaceAll(MARKED, '')) !== solid(text)) return undefined;
  let rest = solid(text.slice(0, offset)).length;
  let place: Place | undefined;
  let from = 0;
  for (const { 0: own, 1: number, index } of again.matchAll(MARKED)) {
    rest -= solid(again.slice(from, index)).length;
    if (rest < 0) return place;
    place = places[Number(number)];
    from = index + own.length;
  }
  return place;
}

/** Characters of the rendered text that are shown before and after a fault. */
const SHOWN = 60;

/** A rendered text that is not JSON, as an error that names the line of the source and the text around it. */
function jsonError(
  path: string,
  text: string,
  error: unknown,
  assembled: Assembled,
  input: TemplateInput,
): Error {
  const found = jsonFault(text);
  if (found === undefined) return wrong(path, `is not JSON after rendering: ${messageOf(error)}`);
  const { at, message } = found;
  const place = sourceOf(path, text, Math.min(at, text.trimEnd().length - 1), assembled, input);
  const around = (part: string): string => part.replaceAll(/\s+/g, ' ');
  const rendered = withoutCredentials(
    `${around(text.slice(Math.max(0, at - SHOWN), at))}>>>${around(text.slice(at, at + SHOWN))}`,
  );
  const source = place === undefined ? '' : `\n${linesAround(input.files.read(place.file), place.line)}`;
  return wrong(
    place === undefined ? path : whereOf(place),
    `is not JSON after rendering: ${message}${source}\nrendered: ${rendered.trim()}`,
  );
}

/**
 * The same as JSON: an exact value (`common/json/exact.ts`), since much of it is sent. Of a repeated key the last value counts,
 * as in Rally, which is written in Python; `onRepeated` is called for it.
 */
export function renderJson(
  path: string,
  input: TemplateInput,
  onRepeated: OnRepeatedKey,
  root = directory(path),
): unknown {
  const assembled = assemble(path, input.files, root);
  const text = renderPieces(path, assembled, input);
  try {
    return parseExact(text, onRepeated);
  } catch (error) {
    if (error instanceof JsonNotHeld)
      throw wrong(path, `cannot be read once it is rendered: ${error.message}`);
    throw jsonError(path, text, error, assembled, input);
  }
}
