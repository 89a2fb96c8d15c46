/**
 * Texts with parameters: `{{name}}` stands for what is drawn for each request. `{{{{` is a literal `{{`, so that a Mustache
 * template can be sent. A template is split once; nothing is parsed when a request is sent.
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

/** How a drawn value is written where it stands. */
export type Encoding =
  /** As a JSON value: a number stays a number, a list a list. The whole of a JSON string was `{{name}}`. */
  | 'json'
  /** Within a JSON string, escaped. */
  | 'inner'
  /** Within a path or a query string, percent-encoded (RFC 3986). */
  | 'url'
  /** As it is. */
  | 'plain';

/** A piece that stays, or a parameter. */
export type Piece = string | { parameter: string; as: Encoding };

/** Plain data: load threads get it. */
export type Template = readonly Piece[];

/** Of every request: the indices of the trial, joined by commas. */
export const INDEX = 'index';

/** What an earlier step of a request took out of its answer begins with a point: a definition has no source for it. */
const TAKEN = '.';
const NAME = /^\.?[a-z_][a-z0-9_-]*$/i;
export const PARAMETER_NAME = 'a letter or _, then letters, digits, - and _';

/** Whether a parameter may be called so. */
export const isParameterName = (name: string): boolean => NAME.test(name) && !isTaken(name) && name !== INDEX;

/** Whether it stands for what an earlier step took. */
export const isTaken = (name: string): boolean => name.startsWith(TAKEN);

/** What a text cannot be read as; the message stands behind the path of the text. */
export class TemplateError extends Error {}

/** Pieces of `text`: those that stay, and the names of parameters. */
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
        `${shown} names no parameter: write {{name}} with ${PARAMETER_NAME}, or {{{{ for a literal {{`,
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

/** Adjacent texts as one. */
function joined(all: readonly Piece[]): Template {
  const out: Piece[] = [];
  for (const piece of all) {
    const last = out.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') out[out.length - 1] = last + piece;
    else out.push(piece);
  }
  return out;
}

/** Of a part of a path or a query string; throws a {@link TemplateError}. */
function percentEncoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw new TemplateError(`${jsonOfText(text)} holds half of a surrogate pair, which a path cannot hold`);
  }
}

const inText = (text: string, as: Encoding, fixed: (text: string) => string): Piece[] =>
  pieces(text).map((piece) => (typeof piece === 'string' ? fixed(piece) : { parameter: piece.name, as }));

/** Of a text that is sent as it is; throws a {@link TemplateError}. */
export const textTemplate = (text: string): Template => joined(inText(text, 'plain', (fixed) => fixed));

/** Of a path: what stays is sent as it is written, what is drawn is percent-encoded. */
export const pathTemplate = (path: string): Template => joined(inText(path, 'url', (fixed) => fixed));

/** Of one name within a path: all of it is percent-encoded. */
export const encodedTemplate = (text: string): Template => joined(inText(text, 'url', percentEncoded));

/** Of a query string, the question mark included; nothing where there is no parameter. */
export const queryTemplate = (params: Readonly<Record<string, string | number | boolean>>): Template =>
  joined(
    Object.entries(params).flatMap(([key, value], index): Piece[] => [
      `${index === 0 ? '?' : '&'}${percentEncoded(key)}=`,
      ...inText(exactText(value), 'url', percentEncoded),
    ]),
  );

const escaped = (text: string): string => jsonOfText(text).slice(1, -1);

/** Of a string of an exact value or a key, with its quotes. A marked one keeps its escapes, parameters are found between them. */
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
 * Of a JSON value: `"{{n}}"` becomes the drawn value itself, a parameter within a longer string or a key becomes text. Without
 * parameters it is the value as it was written. Throws a {@link TemplateError}.
 */
export function jsonTemplate(value: unknown): Template {
  const out: Piece[] = [];
  jsonPieces(value, out);
  return joined(out);
}

/** Of lines of JSON, each ended by a line break, as NDJSON has it. */
export const ndjsonTemplate = (lines: readonly unknown[]): Template =>
  joined(lines.flatMap((line) => [...jsonTemplate(line), '\n']));

/** One behind the other. */
export const chained = (...templates: readonly Template[]): Template => joined(templates.flat());

/** The names of the parameters in it, each once; {@link INDEX} is none of them. */
export const parametersOf = (...templates: readonly Template[]): string[] => [
  ...new Set(
    templates
      .flat()
      .flatMap((piece) => (typeof piece === 'string' || piece.parameter === INDEX ? [] : [piece.parameter])),
  ),
];

/** A value in each of the forms in which a template may ask for it. */
export type Drawn = Readonly<Record<Encoding, string>> & {
  /** Of a set whose members are known by their places, from 0. */
  readonly place?: number;
};

/** Of what needs no escape anywhere, such as a number. */
export const drawnNumber = (text: string): Drawn => ({ json: text, inner: text, url: text, plain: text });

export const drawnText = (text: string): Drawn => drawnString(text, jsonOfText(text));

const drawnString = (text: string, json: string): Drawn => ({
  json,
  inner: json.slice(1, -1),
  // UTF-8, and so a path, cannot hold half of a surrogate pair; JSON can.
  url: encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD')),
  plain: text,
});

type Scalar = string | number | boolean;

/** Of any exact value; a list of scalars is joined by commas where it does not stand as JSON. */
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
 * Of what stands at `path` of a parsed answer, written as it is in its text; undefined for nothing. The text is looked
 * through only where the value could be written in more than one way.
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

/** Of the JSON text of an object or a list, on one line, since it may stand in a line of NDJSON. */
function drawnSource(source: string): Drawn {
  const json = /[\r\n]/.test(source) ? withoutSpaces(source) : source;
  try {
    return { ...drawnValue(parseExact(json)), json };
  } catch {
    // Duplicate keys: as a whole it is sent as it is.
    return { ...drawnText(json), json };
  }
}

/** With these values put in; for a sample, and for what the load renders its own way. */
export const filled = (template: Template, valueOf: (name: string) => Drawn): string =>
  template.map((piece) => (typeof piece === 'string' ? piece : valueOf(piece.parameter)[piece.as])).join('');
