/**
 * Renders the files of a track like Rally: with Jinja, with Rally's helpers, and with other files that are inserted. The statement
 * `include` inserts one file. Rally's helper `collect` inserts all files that match a pattern. Templates can only produce text and read
 * files of the track's folder.
 */
import { JsonNotHeld, parseExact, type OnRepeatedKey } from '../../json/exact';
import { DynoError, inputError, messageOf } from '../../problem';
import { TemplateFault, type Position, type Source } from './jinja/fault';
import { inOrder } from './jinja/given';
import { filtered } from './jinja/filters';
import {
  COLLECT,
  GLOBALS,
  Interpreter,
  MissingInclude,
  type Chunk,
  type Loader,
  type Template,
} from './jinja/interpreter';
import { parseTemplate } from './jinja/parser';
import {
  Attributes,
  Callable,
  Float,
  isTrue,
  textOf,
  Undefined,
  valueOf,
  type Given,
  type Value,
} from './jinja/values';
import { jsonFault } from './json-fault';
import {
  linesAround,
  linesIn,
  replacePieces,
  textOf as textOfPieces,
  withoutCredentials,
  type Piece,
  type Place,
} from './pieces';

/**
 * Access to the files of a track. Paths are relative to the folder of the track and contain `/`. Methods throw a DynoError for paths
 * outside this folder.
 */
export interface TrackFiles {
  read(path: string): string;
  /** Returns the paths that match a pattern with `*` and `?`, in alphabetical order. */
  glob(pattern: string): string[];
}

export interface TemplateInput {
  files: TrackFiles;
  /** Values that the user gives for parameters of the track (`--set`). Numbers are in the notation of `common/json/exact.ts`. */
  params: Readonly<Record<string, unknown>>;
  /** Current time, in ms since the epoch. */
  now: number;
  /** Called with the name of each variable that a template reads, even in parts that are not rendered. */
  onName?: (name: string) => void;
}

/** Maximum depth to which files insert each other with `collect`. */
const DEEPEST = 20;
/**
 * Maximum length of a template together with all files that `collect` inserts, in characters. Rally's largest track has one million
 * characters.
 */
const LONGEST = 50_000_000;

const directory = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
const wrong = (path: string, message: string, allowed?: string): Error =>
  inputError('rally.template', path, message, allowed === undefined ? {} : { allowed });
const whereOf = ({ file, line }: Place): string => `${file}:${line}`;

/** Names under which templates import the helpers: that of Rally and that of OpenSearch Benchmark. The helpers are the same. */
const HELPERS = ['rally', 'benchmark'];

/**
 * Matches a call of `collect` in exactly the spelling for which Rally inserts the text of the files before it renders the template. With
 * any other spelling, `collect` is an ordinary function that is called during rendering.
 */
const COLLECTED = /\{\{ +(?:rally|benchmark)\.collect\(parts="([^"]+)"\) +\}\}/g;

/**
 * Returns the text of a template, with the text of the files that `collect` inserts. As in Rally, paths are relative to the file that
 * contains the call.
 */
function assemble(path: string, files: TrackFiles): Piece[] {
  let length = 0;
  const put = (file: string, depth: number): Piece[] => {
    const text = files.read(file);
    length += text.length;
    if (length > LONGEST) throw wrong(path, `is longer than ${LONGEST} characters with what it collects`);
    if (depth > DEEPEST)
      throw wrong(file, `is collected more than ${DEEPEST} deep`, 'files that do not collect themselves');
    return replacePieces([{ text, file, line: 1 }], COLLECTED, ([, pattern], place) =>
      files
        .glob(directory(file) + pattern!)
        .flatMap((one, at) => [...(at === 0 ? [] : [{ text: ',\n', ...place }]), ...put(one, depth + 1)]),
    );
  };
  return put(path, 0);
}

// Helpers

const SET_PARAM = ['setting_name', 'value', 'default_value', 'comma'];

/**
 * Implements Rally's helper `exists_set_param`, which renders a setting as `, "NAME": VALUE`. It renders nothing if there is neither a
 * value nor a default.
 */
const existsSetParam = new Callable('exists_set_param', (given: Given) => {
  const [name = '', value = new Undefined('no value'), fallback = null, comma = true] = inOrder(
    'exists_set_param()',
    given,
    SET_PARAM,
  );
  if (value instanceof Undefined && fallback === null) return '';
  const own = value instanceof Undefined ? fallback : value;
  const json = textOf(filtered('tojson', own, { positional: [], named: new Map() }));
  return `${isTrue(comma) ? ', ' : ''}"${textOf(name)}": ${json}`;
});

const helpers = (): Attributes =>
  new Attributes(
    'module',
    new Map<string, Value>([
      ['collect', COLLECT],
      ['exists_set_param', existsSetParam],
    ]),
  );

const RESERVED = ['true', 'false', 'none', 'True', 'False', 'None', 'loop', 'caller', 'varargs', 'kwargs'];

function globalsOf({ params, now }: TemplateInput): Record<string, Value> {
  const known: Record<string, Value> = {
    ...GLOBALS,
    ...Object.fromEntries(HELPERS.map((name) => [name, helpers()])),
    now: new Float(now / 1000),
    build_flavor: 'default',
    serverless_operator: false,
  };
  const taken = Object.keys(params).find((name) => Object.hasOwn(known, name) || RESERVED.includes(name));
  if (taken !== undefined) throw wrong(`--set ${taken}`, 'is a reserved name in templates', 'another name');
  return {
    ...Object.fromEntries(Object.entries(params).map(([name, value]) => [name, valueOf(value)])),
    ...known,
  };
}

// Places

/** Matches a name with hyphens outside string literals, such as `bulk-size`. */
const KEBAB = /(?<![\w.-])[a-z_]\w*(?:-[a-z_]\w*)+/i;

/** Returns the text of the tag at a position. */
function tagAround({ source: { text }, at }: Position): string {
  const from = Math.max(text.lastIndexOf('{{', at), text.lastIndexOf('{%', at), 0);
  const end = /[%}]\}/.exec(text.slice(from));
  return end === null ? text.slice(from) : text.slice(from, from + end.index + 2);
}

/** Returns a hint if a name in a tag contains hyphens, because Jinja reads them as minus signs. Returns '' if no name contains a hyphen. */
function kebabHint(position: Position): string {
  const [name] = KEBAB.exec(tagAround(position).replaceAll(/'[^']*'|"[^"]*"/g, '')) ?? [];
  return name === undefined
    ? ''
    : `; Jinja reads ${name} as a subtraction: if it is one name, write ${name.replaceAll('-', '_')}, here and in --set`;
}

const linesAt = (files: TrackFiles, { file, line }: Place): string => linesAround(files.read(file), line);

/** Calls `onName` for each variable that a part of a template reads, and `onInclude` for each file that it includes. */
function readNames(node: unknown, onName: (name: string) => void, onInclude: (path: string) => void): void {
  if (typeof node !== 'object' || node === null) return;
  const { type, name, template, target } = node as Record<string, unknown>;
  if (type === 'name' && typeof name === 'string') onName(name);
  const included = type === 'include' ? (template as { value?: unknown }).value : undefined;
  if (typeof included === 'string') onInclude(included);
  for (const inner of Object.values(node)) if (inner !== target) readNames(inner, onName, onInclude);
}

interface Rendered {
  text: string;
  /**
   * Returns the file and line from which a character was rendered. `offset`: offset of the character in the rendered text. Returns
   * undefined if the text is empty.
   */
  placeOf(offset: number): Place | undefined;
}

/** Renders one template, including all files that it includes. */
class Rendering {
  private readonly pieces: readonly Piece[];
  private readonly whole: Source;
  private readonly templates = new Map<string, Template | undefined>();

  constructor(
    private readonly path: string,
    private readonly input: TemplateInput,
    private readonly root: string,
  ) {
    this.pieces = assemble(path, input.files);
    this.whole = { file: path, text: textOfPieces(this.pieces) };
  }

  run(): Rendered {
    const globals = globalsOf(this.input);
    try {
      const template = this.parse(this.whole);
      if (this.input.onName !== undefined) this.reportNames(template, this.input.onName, new Set());
      const chunks = new Interpreter(globals, this.loader).render(template);
      return {
        text: chunks.map(({ text }) => text).join(''),
        placeOf: (offset) => this.placeInChunks(chunks, offset),
      };
    } catch (error) {
      if (error instanceof TemplateFault) throw this.errorOf(error);
      // The parser calls itself for nested expressions. Very deep nesting therefore overflows the stack.
      throw error instanceof RangeError ? wrong(this.path, 'is nested too deeply to be rendered') : error;
    }
  }

  private parse(source: Source): Template {
    const body = parseTemplate(source, (path, as) =>
      HELPERS.some((name) => path === `${name}.helpers` && as === name),
    );
    return { source, body };
  }

  private template(file: string): Template | undefined {
    if (this.templates.has(file)) return this.templates.get(file);
    let text: string | undefined;
    try {
      text = this.input.files.read(file);
    } catch (error) {
      if (!(error instanceof DynoError)) throw error;
    }
    const made = text === undefined ? undefined : this.parse({ file, text });
    this.templates.set(file, made);
    return made;
  }

  private readonly loader: Loader = {
    include: (path) => this.template(this.root + path),
    collect: (pattern) => this.input.files.glob(this.root + pattern).map((file) => this.template(file)!),
  };

  private reportNames({ body }: Template, onName: (name: string) => void, seen: Set<string>): void {
    readNames(body, onName, (path) => {
      const file = this.root + path;
      if (seen.has(file)) return;
      seen.add(file);
      const included = this.template(file);
      if (included !== undefined) this.reportNames(included, onName, seen);
    });
  }

  private placeOf({ source, at }: Position): Place {
    if (source !== this.whole) return { file: source.file, line: 1 + linesIn(source.text.slice(0, at)) };
    let rest = at;
    let found: Piece = this.pieces[0] ?? { text: '', file: this.path, line: 1 };
    for (const piece of this.pieces) {
      found = piece;
      if (rest < piece.text.length) break;
      rest -= piece.text.length;
    }
    return { file: found.file, line: found.line + linesIn(found.text.slice(0, rest)) };
  }

  private placeInChunks(chunks: readonly Chunk[], offset: number): Place | undefined {
    let rest = offset;
    for (const { text, position, isLiteral } of chunks) {
      if (rest < text.length)
        return this.placeOf(isLiteral ? { ...position, at: position.at + rest } : position);
      rest -= text.length;
    }
    return undefined;
  }

  private errorOf(error: TemplateFault): Error {
    const { position, message } = error;
    if (position === undefined) return wrong(this.path, `cannot be rendered: ${message}`);
    const place = this.placeOf(position);
    if (error instanceof MissingInclude) return this.missing(error.path, place);
    return wrong(
      whereOf(place),
      `cannot be rendered: ${message}${kebabHint(position)}\n${linesAt(this.input.files, place)}`,
    );
  }

  /** Returns the error for an included file that does not exist. It names this file, and the file and line that includes it. */
  private missing(path: string, includer: Place): Error {
    try {
      this.input.files.read(this.root + path);
    } catch (error) {
      if (!(error instanceof DynoError)) throw error;
      const [problem] = error.problems;
      const message = `${problem!.message}: ${whereOf(includer)} includes it`;
      return new DynoError(error.kind, [{ ...problem!, message }]);
    }
    return wrong(whereOf(includer), `includes ${path}, which does not exist`);
  }
}

/**
 * Returns the rendered text of the template in the file `path`. `root`: folder to which the paths of included files are relative. Throws a
 * DynoError of the kind `input` if the template or one of its files is invalid.
 */
export const render = (path: string, input: TemplateInput, root = directory(path)): string =>
  new Rendering(path, input, root).run().text;

/** Number of characters of the rendered text that an error shows on each side of the error's position. */
const SHOWN = 60;

/** Returns the error for a rendered text that is not valid JSON, with the line in the template and the rendered text around it. */
function jsonError(path: string, { text, placeOf }: Rendered, error: unknown, files: TrackFiles): Error {
  const found = jsonFault(text);
  if (found === undefined) return wrong(path, `is not JSON after rendering: ${messageOf(error)}`);
  const { at, message } = found;
  const place = placeOf(Math.max(0, Math.min(at, text.trimEnd().length - 1)));
  const around = (part: string): string => part.replaceAll(/\s+/g, ' ');
  const rendered = withoutCredentials(
    `${around(text.slice(Math.max(0, at - SHOWN), at))}>>>${around(text.slice(at, at + SHOWN))}`,
  );
  return wrong(
    place === undefined ? path : whereOf(place),
    `is not JSON after rendering: ${message}${place === undefined ? '' : `\n${linesAt(files, place)}`}\nrendered: ${rendered.trim()}`,
  );
}

/**
 * Renders a template and parses the text as JSON. Numbers keep their notation (see `common/json/exact.ts`), because many of them are sent
 * to Elasticsearch. If a key occurs several times in an object, its last value is used, as in Python, and `onRepeated` is called.
 */
export function renderJson(
  path: string,
  input: TemplateInput,
  onRepeated: OnRepeatedKey,
  root = directory(path),
): unknown {
  const rendered = new Rendering(path, input, root).run();
  try {
    return parseExact(rendered.text, onRepeated);
  } catch (error) {
    if (error instanceof JsonNotHeld)
      throw wrong(path, `cannot be read once it is rendered: ${error.message}`);
    throw jsonError(path, rendered, error, input.files);
  }
}
