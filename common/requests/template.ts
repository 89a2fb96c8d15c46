/**
 * Templates of requests: `{{name}}` is replaced by a new value for each request. `{{{{` means a literal `{{`, for example in a Mustache
 * template. A template is parsed only once, and not each time that a request is sent.
 */

import { withoutSpaces, sourceAt } from '../json/source';
import { answerAt } from './expectation';
import {
  exactNumber,
  exactString,
  exactText,
  exactToken,
  isExactNumber,
  jsonOfText,
  markedToken,
  parseExact,
  parsePlain,
  plainKey,
  stringifyExact,
} from '../json/exact';

/** Encodings of a value, depending on where the template contains it. */
export type Encoding =
  /**
   * The value becomes a JSON value: a number stays a number, and a list stays a list. This is the encoding if `{{name}}` is a whole JSON
   * string.
   */
  | 'json'
  /** The value becomes a part of a JSON string, escaped. */
  | 'inner'
  /** The value becomes a part of a path or a query string, percent-encoded (RFC 3986). */
  | 'url'
  /** The value is inserted unchanged. */
  | 'plain';

/** A fixed text, or a parameter. */
export type Piece = string | { parameter: string; as: Encoding };

/** A text with parameters, divided into pieces. It is plain data that can be sent to load threads. */
export type Template = readonly Piece[];

/** Parameter of every request: the indices of the trial, separated by commas. */
export const INDEX = 'index';

/** First character of the name of a value that an earlier step takes from its response. Such a value has no source in the definition. */
const TAKEN = '.';
const NAME = /^\.?[a-z_][a-z0-9_-]*$/i;
export const PARAMETER_NAME = 'a letter or _, then letters, digits, - and _';

/** Returns whether a parameter can have this name. */
export const isParameterName = (name: string): boolean => NAME.test(name) && !isTaken(name) && name !== INDEX;

/** Returns whether this is the name of a value that an earlier step takes from its response. */
export const isTaken = (name: string): boolean => name.startsWith(TAKEN);

/** Error for a text that cannot be parsed as a template. Its message is shown after the path of the text. */
export class TemplateError extends Error {}

/** Splits `text` into fixed texts and names of parameters. */
function pieces(text: string): (string | { name: string })[] {
  const found: (string | { name: string })[] = [];
  let fixed = '';
  let at = 0;
  for (;;) {
    const open = text.indexOf('{{', at);
    if (open < 0) break;
    fixed += text.slice(at, open);
    if (text.startsWith('{{', open + 2)) {
      fixed += '{{';
      at = open + 4;
      continue;
    }
    const close = text.indexOf('}}', open);
    const name = close < 0 ? '' : text.slice(open + 2, close).trim();
    if (!NAME.test(name)) {
      const shown = close < 0 ? text.slice(open, open + 20) : text.slice(open, close + 2);
      throw new TemplateError(
        `${shown} contains no parameter: write {{name}} with ${PARAMETER_NAME}, or {{{{ for a literal {{`,
      );
    }
    if (fixed !== '') found.push(fixed);
    found.push({ name });
    fixed = '';
    at = close + 2;
  }
  fixed += text.slice(at);
  if (fixed !== '') found.push(fixed);
  return found;
}

/** Joins adjacent fixed texts. */
function joined(all: readonly Piece[]): Template {
  const out: Piece[] = [];
  for (const piece of all) {
    const last = out.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') out[out.length - 1] = last + piece;
    else out.push(piece);
  }
  return out;
}

/** Encodes a part of a path or a query string. Throws a {@link TemplateError} if the text cannot be encoded. */
function percentEncoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw new TemplateError(
      `${jsonOfText(text)} contains half of a surrogate pair, which a path cannot contain`,
    );
  }
}

const inText = (text: string, as: Encoding, fixed: (text: string) => string): Piece[] =>
  pieces(text).map((piece) => (typeof piece === 'string' ? fixed(piece) : { parameter: piece.name, as }));

/** Returns the template of a text that is sent unchanged. Throws a {@link TemplateError}. */
export const textTemplate = (text: string): Template => joined(inText(text, 'plain', (fixed) => fixed));

/** Returns the template of a path. Fixed parts are sent as written, values are percent-encoded. */
export const pathTemplate = (path: string): Template => joined(inText(path, 'url', (fixed) => fixed));

/** Returns the template of one segment of a path. The whole segment is percent-encoded, including its fixed texts. */
export const encodedTemplate = (text: string): Template => joined(inText(text, 'url', percentEncoded));

/** Returns the template of a query string with its question mark. The template is empty if there are no parameters. */
export const queryTemplate = (params: Readonly<Record<string, string | number | boolean>>): Template =>
  joined(
    Object.entries(params).flatMap(([key, value], index): Piece[] => [
      `${index === 0 ? '?' : '&'}${percentEncoded(key)}=`,
      ...inText(exactText(value), 'url', percentEncoded),
    ]),
  );

const escaped = (text: string): string => jsonOfText(text).slice(1, -1);

/**
 * Returns the pieces of a JSON string or key, including its quotes. If `text` contains the original escapes of the string (see
 * `common/json/exact.ts`), these stay unchanged.
 */
function stringPieces(text: string): Piece[] {
  const token = markedToken(text);
  const inner =
    token === undefined
      ? inText(plainKey(text), 'inner', escaped)
      : inText(token.slice(1, -1), 'inner', (fixed) => fixed);
  return ['"', ...inner, '"'];
}

function jsonPieces(value: unknown, out: Piece[]): void {
  if (isExactNumber(value)) out.push(exactToken(value));
  else if (typeof value === 'string') {
    const parts = pieces(plainKey(value));
    const [only] = parts;
    if (parts.length === 1 && typeof only === 'object' && markedToken(value) === undefined)
      out.push({ parameter: only.name, as: 'json' });
    else out.push(...stringPieces(value));
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => {
      out.push(index === 0 ? '[' : ',');
      jsonPieces(item, out);
    });
    out.push(value.length === 0 ? '[]' : ']');
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    entries.forEach(([key, item], index) => {
      out.push(index === 0 ? '{' : ',', ...stringPieces(key), ':');
      jsonPieces(item, out);
    });
    out.push(entries.length === 0 ? '{}' : '}');
  } else out.push(stringifyExact(value));
}

/**
 * Returns the template of a JSON value. `"{{n}}"` becomes the value itself. A parameter inside a longer string or a key becomes a part of
 * this text. Everything else keeps its original notation. Throws a {@link TemplateError}.
 */
export function jsonTemplate(value: unknown): Template {
  const out: Piece[] = [];
  jsonPieces(value, out);
  return joined(out);
}

/** Returns the template of lines of JSON, each with a line break at its end (NDJSON). */
export const ndjsonTemplate = (lines: readonly unknown[]): Template =>
  joined(lines.flatMap((line) => [...jsonTemplate(line), '\n']));

/** Joins templates. */
export const chained = (...templates: readonly Template[]): Template => joined(templates.flat());

/** Returns the names of all parameters in the templates, without duplicates and without {@link INDEX}. */
export const parametersOf = (...templates: readonly Template[]): string[] => [
  ...new Set(
    templates
      .flat()
      .flatMap((piece) => (typeof piece === 'string' || piece.parameter === INDEX ? [] : [piece.parameter])),
  ),
];

/** A value in each encoding that a template may need. */
export type Drawn = Readonly<Record<Encoding, string>> & {
  /** Position of the value in its set, from 0. Present if the value comes from a set, such as a set of vectors. */
  readonly place?: number;
};

/** Returns a value that needs no escaping anywhere, such as a number. */
export const drawnNumber = (text: string): Drawn => ({ json: text, inner: text, url: text, plain: text });

export const drawnText = (text: string): Drawn => drawnString(text, jsonOfText(text));

const drawnString = (text: string, json: string): Drawn => ({
  json,
  inner: json.slice(1, -1),
  // A path is UTF-8, which cannot contain half of a surrogate pair. JSON can.
  url: encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD')),
  plain: text,
});

type Scalar = string | number | boolean;

/**
 * Returns a value in all encodings. Numbers in the value may be in their original notation, such as `1.0`. Outside of JSON, a list of
 * numbers and texts is joined by commas.
 */
export function drawnValue(value: unknown): Drawn {
  const json = stringifyExact(value);
  if (isExactNumber(value)) return drawnNumber(json);
  if (typeof value === 'string') return drawnString(exactText(value), json);
  if (typeof value !== 'object' || value === null) return drawnNumber(json);
  const plain =
    Array.isArray(value) && value.every((one) => typeof one !== 'object')
      ? (value as Scalar[]).map(exactText).join()
      : json;
  return { ...drawnText(plain), json };
}

/**
 * Returns the value at `path` in a response, in all encodings; undefined if there is no value. `answer`: the parsed response. `text`: the
 * text of the response, which shows how a number or string was written, such as `1.0`.
 */
export function drawnAt(answer: unknown, text: string, path: readonly string[]): Drawn | undefined {
  const found = answerAt(answer, path);
  if (found === undefined || found === null || typeof found === 'boolean')
    return found === undefined ? undefined : drawnValue(found);
  if (typeof found === 'string' && !text.includes('\\')) return drawnText(found);
  if (typeof found === 'object') return drawnSource(sourceAt(text, path)!);
  const first = sourceAt(text, path, 'first');
  const source = first !== undefined && parsePlain(first) === found ? first : sourceAt(text, path);
  return drawnValue(source === undefined ? found : exactScalarOf(source));
}

const exactScalarOf = (token: string): number | string =>
  token.startsWith('"') ? exactString(token) : exactNumber(token);

/**
 * Returns an object or a list in all encodings. Its JSON is on one line, because it may become a part of an NDJSON line. `source`: the JSON
 * text.
 */
function drawnSource(source: string): Drawn {
  const json = /[\r\n]/.test(source) ? withoutSpaces(source) : source;
  try {
    return { ...drawnValue(parseExact(json)), json };
  } catch {
    // An object with duplicate keys is sent unchanged as a whole.
    return { ...drawnText(json), json };
  }
}

/** Returns the text of the template with its values. `valueOf`: returns the value of a parameter. */
export const filled = (template: Template, valueOf: (name: string) => Drawn): string =>
  template.map((piece) => (typeof piece === 'string' ? piece : valueOf(piece.parameter)[piece.as])).join('');
