/** Definitions as text: YAML 1.2 (of which JSON is a part), with numbers that may carry `_` between their digits. */
import {
  Lexer,
  parseDocument,
  Parser,
  stringify,
  YAMLParseError,
  type Document,
  type ScalarTag,
  type Tags,
} from 'yaml';
import { DynoError, inputError, messageOf } from '../problem';

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

/** Where `text` goes deeper than that; undefined where it does not. Reads no further, nor calls itself level by level. */
function tooDeepAt(text: string): number | undefined {
  const parser = new Parser();
  for (const token of new Lexer().lex(text)) {
    // Run for what it leaves on the stack: the document, its open collections, and what is begun in the innermost.
    Array.from(parser.next(token));
    if (parser.stack.length > MOST_NESTED + 2) return parser.offset - token.length;
  }
  return undefined;
}

/** The document that `text` writes, with its comments, ranges and errors. */
export function openDocument(text: string): Document.Parsed {
  const options = {
    customTags: (tags: Tags): Tags => [groupedInteger, ...tags],
    prettyErrors: true,
    // What is odd is told by those who read the value.
    logLevel: 'error',
  } as const;
  const at = tooDeepAt(text);
  if (at === undefined) return parseDocument(text, options);
  const empty = parseDocument('', options);
  const error = new YAMLParseError(
    [at, at],
    'RESOURCE_EXHAUSTION',
    `is nested more than ${MOST_NESTED} levels deep`,
  );
  const before = text.slice(0, at).split('\n');
  error.linePos = [{ line: before.length, col: before.at(-1)!.length + 1 }];
  empty.errors.push(error);
  return empty;
}

/** Of a document without errors. Aliases that multiply (the "billion laughs") are refused by the library's own limit. */
export const valueOf = (document: Document.Parsed): unknown => document.toJS({ maxAliasCount: 100 });

/**
 * The value that `text` writes. `name` (of the file) is for messages.
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
        message: message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, ''),
      })),
    );
  }
  try {
    const value = valueOf(document);
    // An anchor may contain its own alias, which no definition can mean.
    JSON.stringify(value);
    return value;
  } catch (error) {
    const message = error instanceof TypeError ? 'an alias is inside its own anchor' : messageOf(error);
    throw inputError('definition.syntax', name, message.split('\n')[0]!);
  }
}

/** A value given on the command line: `5`, `1s`, `[1s, 5s]`, `{clients: 2}`. */
export const parseValue = (text: string): unknown => parseText(text, 'value');

/** A definition as YAML. */
export const formatYaml = (value: unknown): string => stringify(value, { lineWidth: 110 });
