/** Reads and writes definitions as YAML 1.2, which includes JSON. Numbers such as `1_000` are also allowed. */
import {
  Composer,
  CST,
  isScalar,
  Lexer,
  LineCounter,
  Parser,
  stringify,
  visit,
  YAMLParseError,
  type Document,
  type DocumentOptions,
  type Node,
  type ParsedNode,
  type Scalar,
  type ScalarTag,
  type Tags,
  type ToStringOptions,
} from 'yaml';
import {
  exactKeys,
  exactNumber,
  exactString,
  hasMarks,
  heldString,
  isJsonNumber,
  isJsonString,
  jsonOfText,
  markedToken,
  parsePlain,
  plainKey,
} from '../json/exact';
import { DynoError, inputError, messageOf, MOST_PROBLEMS } from '../problem';

const groupedInteger: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^\d{1,3}(?:_\d{3})+$/,
  resolve: (text) => Number(text.replaceAll('_', '')),
  // A number that Dyno does not change is written as the author wrote it.
  identify: (value) => Number.isInteger(value),
  format: 'GROUPED',
  stringify: ({ source, value }) =>
    source !== undefined && Number(source.replaceAll('_', '')) === value ? source : String(value),
};

/** Maximum depth of nesting. Elasticsearch accepts only mappings and queries that are nested less deeply. */
const MOST_NESTED = 100;

/**
 * Maximum number of keys, values, lists and objects of a definition. An alias counts as much as its value. For comparison, a mapping of
 * 1,000 fields (Elasticsearch's default limit) has about 4,000 keys and values. Reading a definition of the maximum size takes 0.1 seconds.
 */
export const MOST_VALUES = 10_000;

/** Maximum number of tokens in a text: words, punctuation marks, spaces and line breaks, including comments. */
const MOST_TOKENS = 50_000;

/** Maximum number of characters of a text. The HTTP API has the same limit. */
const MOST_CHARACTERS = 1_000_000;

const tooMany = `has more than ${MOST_VALUES} keys and values`;

/** Types of the YAML library's tokens that begin a value or a key. */
const VALUES: readonly unknown[] = [
  'scalar',
  'single-quoted-scalar',
  'double-quoted-scalar',
  'block-scalar-header',
  'alias',
  'flow-seq-start',
  'flow-map-start',
];

interface Refusal {
  at: number;
  message: string;
}

/**
 * Splits the text into tokens of the YAML library. Stops as soon as a limit is exceeded, and uses no recursion, because the text may be
 * hostile.
 */
function tokensOf(text: string, lines: LineCounter): { tokens: CST.Token[]; refused: Refusal | undefined } {
  if (text.length > MOST_CHARACTERS)
    return { tokens: [], refused: { at: 0, message: `has more than ${MOST_CHARACTERS} characters` } };
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tokens: CST.Token[] = [];
  let read = 0;
  let values = 0;
  let wrong = 0;
  let isPlain = false;
  for (const token of new Lexer().lex(text)) {
    // The lexer sends a separate token before each plain scalar.
    const type: CST.TokenType | null = isPlain ? null : CST.tokenType(token);
    isPlain = type === 'scalar';
    read += 1;
    if (VALUES.includes(type)) values += 1;
    for (const found of parser.next(token)) {
      tokens.push(found);
      if (found.type === 'error') wrong += 1;
    }
    // Further problems are not shown to the user, so reading stops here.
    if (wrong > MOST_PROBLEMS) return { tokens, refused: undefined };
    const at = parser.offset - token.length;
    // The stack consists of the document, its open collections from the outermost to the innermost, and the item that is being read.
    if (parser.stack.length > MOST_NESTED + 2)
      return { tokens: [], refused: { at, message: `is nested more than ${MOST_NESTED} levels deep` } };
    if (values > MOST_VALUES) return { tokens: [], refused: { at, message: tooMany } };
    if (read > MOST_TOKENS)
      return { tokens: [], refused: { at, message: `has more than ${MOST_TOKENS} words, marks and spaces` } };
  }
  tokens.push(...parser.end());
  return { tokens, refused: undefined };
}

/** Parses a YAML text into a document, which contains comments, positions and errors. */
export function openDocument(text: string): Document.Parsed {
  const lines = new LineCounter();
  const { tokens, refused } = tokensOf(text, lines);
  const composer = new Composer({
    customTags: (tags: Tags): Tags => [groupedInteger, ...tags],
    // The library's warnings are not logged. The functions that read the value report the same problems in Dyno's words.
    logLevel: 'error',
    // The tokens are kept, because a string in double quotes is sent with the escapes that the author wrote.
    keepSourceTokens: true,
    // The library's check for duplicate keys would take quadratic time. `keysTwice` replaces it.
    uniqueKeys: false,
  });
  const [document, ...others] = composer.compose(tokens, true, text.length);
  // `end(true)` returns a document even if the text is empty.
  const { errors, contents } = document!;
  if (refused)
    errors.push(new YAMLParseError([refused.at, refused.at], 'RESOURCE_EXHAUSTION', refused.message));
  if (others.length > 0)
    errors.push(
      new YAMLParseError(
        [others[0]!.range[0], others[0]!.range[1]],
        'MULTIPLE_DOCS',
        'there is more than one document',
      ),
    );
  errors.push(...keysTwice(contents));
  for (const error of errors.slice(0, MOST_PROBLEMS)) error.linePos = [lines.linePos(error.pos[0])];
  return document!;
}

/** Returns an error for each key that occurs twice in one object. */
function keysTwice(contents: unknown): YAMLParseError[] {
  const errors: YAMLParseError[] = [];
  visit(contents as Node | null, {
    Map(_, { items }) {
      const seen = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key) || errors.length > MOST_PROBLEMS) continue;
        const [start, end] = (key as ParsedNode).range;
        const text = textOfKey(key);
        if (seen.has(text))
          errors.push(new YAMLParseError([start, end], 'DUPLICATE_KEY', 'Map keys must be unique'));
        seen.add(text);
      }
    },
  });
  return errors;
}

/**
 * Converts a YAML number to a JSON number. For example, it removes `+`, `_` and leading zeros, and converts numbers in base 8 or 16.
 * Returns undefined for `.inf` and `.nan`.
 */
function jsonNumber(source: string): string | undefined {
  if (isJsonNumber(source)) return source;
  if (/^0[ox]/.test(source)) return BigInt(source).toString();
  const [, sign, whole, fraction, exponent] =
    /^([-+]?)(\d*)(?:\.(\d*))?([eE][-+]?\d+)?$/.exec(source.replaceAll('_', '')) ?? [];
  if (whole === undefined) return undefined;
  const digits = fraction === undefined || fraction === '' ? '' : `.${fraction}`;
  return `${sign === '-' ? '-' : ''}${whole.replace(/^0+(?=\d)/, '') || '0'}${digits}${exponent ?? ''}`;
}

/**
 * Returns the source text of a string in double quotes, if this text is also valid JSON for the same string. The escapes in it are
 * unchanged. Otherwise undefined.
 */
function jsonString({ value, type, srcToken }: Scalar): string | undefined {
  if (type !== 'QUOTE_DOUBLE' || srcToken === undefined || !('source' in srcToken)) return undefined;
  const { source } = srcToken;
  return isJsonString(source) && parsePlain(source) === value ? source : undefined;
}

/**
 * Returns the value of a scalar with its exact notation in the text: `1.0` does not become `1`. `common/json/exact.ts` explains this
 * format.
 */
function exactScalar(scalar: Scalar): unknown {
  const { value, source } = scalar;
  if (typeof value === 'number') {
    const token = source === undefined ? undefined : jsonNumber(source);
    return token === undefined ? value : exactNumber(token);
  }
  if (typeof value !== 'string') return value;
  const token = jsonString(scalar);
  return token === undefined ? heldString(value) : exactString(token);
}

/** Returns the text of a key. The text of a number is its JSON form, with all its digits. */
function textOfKey({ value, source }: Scalar): string {
  const number = typeof value === 'number' && source !== undefined ? jsonNumber(source) : undefined;
  return number ?? (value === null ? '' : String(value));
}

/**
 * Replaces the values of all scalars in the document by values with their exact notation (`common/json/exact.ts`). Returns a function that
 * restores the original values.
 */
function withExactScalars({ contents }: Document.Parsed): () => void {
  const before = new Map<Scalar, unknown>();
  const set = (scalar: Scalar, value: unknown): void => {
    if (Object.is(scalar.value, value)) return;
    before.set(scalar, scalar.value);
    scalar.value = value;
  };
  visit(contents as Node | null, {
    Scalar: (key, scalar) => {
      if (key !== 'key') set(scalar, exactScalar(scalar));
    },
    Map: (_, { items }) => {
      const keys = items.map(({ key }) => key).filter(isScalar);
      const exact = exactKeys(keys.map((key) => jsonString(key) ?? jsonOfText(textOfKey(key))));
      for (const [at, key] of keys.entries())
        if (typeof key.value === 'string' || typeof key.value === 'number') set(key, exact[at]);
    },
  });
  return () => {
    for (const [scalar, value] of before) scalar.value = value;
  };
}

/**
 * Returns the value of a document without errors. Numbers and strings keep their exact notation (`common/json/exact.ts`). The YAML library
 * limits the number of aliases, which prevents a "billion laughs" attack.
 */
export function valueOf(document: Document.Parsed): unknown {
  const restore = withExactScalars(document);
  try {
    return document.toJS({ maxAliasCount: 100 });
  } finally {
    restore();
  }
}

/**
 * Throws a DynoError (input) if a value has more keys and values than a definition may have, or is nested more deeply. An alias counts each
 * time it is used. `name`: name of the file or other source of the value, for the error.
 */
export function checkExtent(value: unknown, name: string): void {
  let left = MOST_VALUES;
  const around: unknown[] = [];
  const refuse = (message: string): Error => inputError('definition.syntax', name, message);
  const visitValue = (inner: unknown): void => {
    left -= 1;
    if (left < 0) throw refuse(tooMany);
    if (typeof inner !== 'object' || inner === null) return;
    if (around.includes(inner)) throw refuse('an alias is inside its own anchor');
    if (around.length >= MOST_NESTED) throw refuse(`is nested more than ${MOST_NESTED} levels deep`);
    around.push(inner);
    if (!Array.isArray(inner)) left -= Object.keys(inner).length;
    for (const child of Object.values(inner)) visitValue(child);
    around.pop();
  };
  visitValue(value);
}

/**
 * Parses a YAML text. Numbers and strings in the result keep their exact notation (`common/json/exact.ts`). If the text contains syntax
 * errors, throws a DynoError with one problem per error; each problem contains line and column. `name`: name of the file, for errors.
 */
export function parseText(text: string, name: string): unknown {
  const document = openDocument(text);
  if (document.errors.length > 0) {
    throw new DynoError(
      'input',
      document.errors.map(({ message, linePos }) => ({
        code: 'definition.syntax',
        path: linePos ? `${name}:${linePos[0].line}:${linePos[0].col}` : name,
        message: message.split('\n', 1)[0]!,
      })),
    );
  }
  let value: unknown;
  try {
    value = valueOf(document);
  } catch (error) {
    throw inputError('definition.syntax', name, messageOf(error).split('\n', 1)[0]!);
  }
  checkExtent(value, name);
  return value;
}

/** Parses a value on the command line: `5`, `1s`, `[1s, 5s]`, `{clients: 2}`. */
export const parseValue = (text: string): unknown => parseText(text, 'value');

/** A number or string whose JSON text is written to YAML unchanged. */
class Token {
  constructor(readonly text: string) {}
}

const exactToken: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  identify: (value) => value instanceof Token,
  resolve: (text) => text,
  stringify: ({ value }) => (value as Token).text,
};

/**
 * Replaces numbers and strings with an exact notation (`common/json/exact.ts`) by {@link Token} objects, which the YAML library writes
 * unchanged.
 */
function withTokens(value: unknown): unknown {
  if (!hasMarks(value)) return value;
  if (typeof value === 'string') {
    const token = markedToken(value);
    return token === undefined ? plainKey(value) : new Token(token);
  }
  if (Array.isArray(value)) return value.map(withTokens);
  return new Map(Object.entries(value as object).map(([key, inner]) => [withTokens(key), withTokens(inner)]));
}

/** Formats a value as YAML. Numbers and strings with an exact notation (`common/json/exact.ts`) are written unchanged. */
export const yamlOf = (value: unknown, options: ToStringOptions & DocumentOptions): string =>
  stringify(withTokens(value), { ...options, customTags: (tags: Tags): Tags => [exactToken, ...tags] });

/** Formats a definition as YAML. */
export const formatYaml = (value: unknown): string => yamlOf(value, { lineWidth: 110 });
