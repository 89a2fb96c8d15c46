/** Definitions as text: YAML 1.2 (of which JSON is a part), with numbers that may carry `_` between their digits. */
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
  // Written again as it was read, unless it has become another number.
  identify: (value) => Number.isInteger(value),
  format: 'GROUPED',
  stringify: ({ source, value }) =>
    source !== undefined && Number(source.replaceAll('_', '')) === value ? source : String(value),
};

/** Deeper than any mapping or query that Elasticsearch takes. */
const MOST_NESTED = 100;

/**
 * Keys, values, lists and objects of one definition, each alias counted as what it stands for: a mapping of 1,000 fields, the
 * most that Elasticsearch takes, has about 4,000. Reading so many takes a tenth of a second.
 */
export const MOST_VALUES = 10_000;

/** Words, marks, spaces and line breaks of a text, comments included: they are read too. */
const MOST_TOKENS = 50_000;

/** Characters of a text; as many as the HTTP interface takes. */
const MOST_CHARACTERS = 1_000_000;

const tooMany = `has more than ${MOST_VALUES} keys and values`;

/** Tokens that begin a value or a key. */
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

/** The text in the library's tokens, read once; what is too much ends it at once, and it calls itself for no level of it. */
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
    // Its mark comes before a plain scalar.
    const type: CST.TokenType | null = isPlain ? null : CST.tokenType(token);
    isPlain = type === 'scalar';
    read += 1;
    if (VALUES.includes(type)) values += 1;
    for (const found of parser.next(token)) {
      tokens.push(found);
      if (found.type === 'error') wrong += 1;
    }
    // What follows would be told by nobody.
    if (wrong > MOST_PROBLEMS) return { tokens, refused: undefined };
    const at = parser.offset - token.length;
    // The stack is the document, its open collections, and what is begun in the innermost.
    if (parser.stack.length > MOST_NESTED + 2)
      return { tokens: [], refused: { at, message: `is nested more than ${MOST_NESTED} levels deep` } };
    if (values > MOST_VALUES) return { tokens: [], refused: { at, message: tooMany } };
    if (read > MOST_TOKENS)
      return { tokens: [], refused: { at, message: `has more than ${MOST_TOKENS} words, marks and spaces` } };
  }
  tokens.push(...parser.end());
  return { tokens, refused: undefined };
}

/** The document that `text` writes, with its comments, ranges and errors. */
export function openDocument(text: string): Document.Parsed {
  const lines = new LineCounter();
  const { tokens, refused } = tokensOf(text, lines);
  const composer = new Composer({
    customTags: (tags: Tags): Tags => [groupedInteger, ...tags],
    // What is odd is told by those who read the value.
    logLevel: 'error',
    // Strings in double quotes are sent with the escapes that they were written with.
    keepSourceTokens: true,
    // The library compares every key with every other one.
    uniqueKeys: false,
  });
  const [document, ...others] = composer.compose(tokens, true, text.length);
  // With `true` there is a document even of an empty text.
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

/** Keys that stand in one object twice. */
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

/** A number of YAML as JSON writes it: without `+`, `_` and leading zeros, not in base 8 or 16; undefined for `.inf` and `.nan`. */
function jsonNumber(source: string): string | undefined {
  if (isJsonNumber(source)) return source;
  if (/^0[ox]/.test(source)) return BigInt(source).toString();
  const [, sign, whole, fraction, exponent] =
    /^([-+]?)(\d*)(?:\.(\d*))?([eE][-+]?\d+)?$/.exec(source.replaceAll('_', '')) ?? [];
  if (whole === undefined) return undefined;
  const digits = fraction === undefined || fraction === '' ? '' : `.${fraction}`;
  return `${sign === '-' ? '-' : ''}${whole.replace(/^0+(?=\d)/, '') || '0'}${digits}${exponent ?? ''}`;
}

/** The JSON string that a scalar in double quotes is; undefined where JSON would not read it as the same text. */
function jsonString({ value, type, srcToken }: Scalar): string | undefined {
  if (type !== 'QUOTE_DOUBLE' || srcToken === undefined || !('source' in srcToken)) return undefined;
  const { source } = srcToken;
  return isJsonString(source) && parsePlain(source) === value ? source : undefined;
}

/** The value of a scalar with the token that it was written with; see `common/json/exact.ts`. */
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

/** The text of a key: a number as it was written. */
function textOfKey({ value, source }: Scalar): string {
  const number = typeof value === 'number' && source !== undefined ? jsonNumber(source) : undefined;
  return number ?? (value === null ? '' : String(value));
}

/** Gives scalars their exact values until the function that is returned is called. */
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
 * The exact value (`common/json/exact.ts`) of a document without errors. Aliases that multiply (the "billion laughs") are
 * refused by the library's own limit.
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
 * Throws a DynoError (input) where a value holds more, or more deeply, than a definition may: what an alias stands for counts
 * wherever it stands. `name` is what the value was read from.
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
 * The exact value that `text` writes. `name` (of the file) is for messages.
 * Throws a DynoError with a problem for each syntax error, with line and column.
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

/** A value given on the command line: `5`, `1s`, `[1s, 5s]`, `{clients: 2}`. */
export const parseValue = (text: string): unknown => parseText(text, 'value');

/** A placeholder for a JSON token that is valid YAML without a change. */
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

/** Marked strings as tokens, all else unchanged. */
function withTokens(value: unknown): unknown {
  if (!hasMarks(value)) return value;
  if (typeof value === 'string') {
    const token = markedToken(value);
    return token === undefined ? plainKey(value) : new Token(token);
  }
  if (Array.isArray(value)) return value.map(withTokens);
  return new Map(Object.entries(value as object).map(([key, inner]) => [withTokens(key), withTokens(inner)]));
}

/** An exact value as YAML. */
export const yamlOf = (value: unknown, options: ToStringOptions & DocumentOptions): string =>
  stringify(withTokens(value), { ...options, customTags: (tags: Tags): Tags => [exactToken, ...tags] });

/** A definition as YAML. */
export const formatYaml = (value: unknown): string => yamlOf(value, { lineWidth: 110 });
