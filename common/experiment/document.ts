/** Definitions as text: YAML 1.2 (of which JSON is a part), with numbers that may carry `_` between their digits. */
import { parseDocument, stringify, type ScalarTag } from 'yaml';
import { DynoError } from '../problem';

const groupedInteger: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^\d{1,3}(?:_\d{3})+$/,
  resolve: (text) => Number(text.replaceAll('_', '')),
};

/**
 * The value that `text` writes. `name` (of the file) is for messages.
 * Throws a DynoError with a problem for each syntax error, with line and column.
 */
export function parseText(text: string, name: string): unknown {
  const document = parseDocument(text, {
    customTags: (tags) => [groupedInteger, ...tags],
    prettyErrors: true,
  });
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
  // Aliases that multiply (the "billion laughs") are refused by the library's own limit.
  return document.toJS({ maxAliasCount: 100 });
}

/** A value given on the command line: `5`, `1s`, `[1s, 5s]`, `{clients: 2}`. */
export const parseValue = (text: string): unknown => parseText(text, 'value');

/** A definition as YAML. */
export const formatYaml = (value: unknown): string => stringify(value, { lineWidth: 110 });
