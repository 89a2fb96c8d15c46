/**
 * Reads the values of a parameter from a file: a column of a table, a field of documents, or lines. The whole file is read before the load
 * begins.
 */
import { readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { parse } from 'csv-parse/sync';
import { packingOf } from '../../../common/files/bytes';
import { recognise } from '../../../common/files/recognise';
import { wrongLines } from '../../../common/files/refusals';
import { heldString, JsonNotHeld, parseExact } from '../../../common/json/exact';
import type { FileColumn } from '../../../common/parameters/kind';
import { DynoError, inputError, messageOf } from '../../../common/problem';
import { answerAt } from '../../../common/requests/expectation';
import { formatBytes } from '../../../common/units/format';
import { checkText } from './file-head';
import { packingOfFile, unpackWhole } from './unpack';

/** Maximum size of a file, in bytes. Each load thread keeps all values in memory. */
const LARGEST = 256 * 1024 ** 2;

/** To detect the format of a file, only this many characters at its beginning are used. */
const LOOKED_AT = 64 * 1024;

const DELIMITERS: Readonly<Record<string, string>> = { '.csv': ',', '.tsv': '\t' };
const DOCUMENTS: ReadonlySet<string> = new Set(['.ndjson', '.jsonl', '.json']);

/** Returns the values, at least one. Throws a DynoError that names the file and the invalid line. */
export function readColumn({ path, column }: FileColumn): unknown[] {
  const text = readText(path);
  const kind = extname(path.replace(/\.(?:gz|zst)$/i, '')).toLowerCase();
  const delimiter = DELIMITERS[kind];
  let values: unknown[];
  if (delimiter !== undefined) values = ofTable(text, delimiter, path, column);
  else if (DOCUMENTS.has(kind)) values = ofDocuments(text, path, column);
  else if (column === undefined) values = linesOf(text).map(({ line }) => heldString(line));
  else {
    throw inputError('parameter.file', path, 'is a file of lines, which has no columns', {
      found: column,
      allowed: 'a .csv, .tsv or .ndjson file, or no column',
    });
  }
  if (values.length === 0) throw inputError('parameter.file', path, 'holds no values');
  return values;
}

function readText(path: string): string {
  try {
    const { size } = statSync(path);
    if (size > LARGEST) {
      throw inputError('parameter.file', path, 'is too large for values of a parameter', {
        found: formatBytes(size),
        allowed: `at most ${formatBytes(LARGEST)}`,
      });
    }
    const whole = readFileSync(path);
    const bytes = unpackWhole(whole, LARGEST);
    checkText(bytes, { file: path, packing: packingOf(whole) });
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof DynoError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw inputError('parameter.file', path, 'does not exist');
    throw inputError('parameter.file', path, `cannot be read as UTF-8: ${messageOf(error)}`);
  }
}

/** Returns the lines that are not empty, with their numbers from 1. */
const linesOf = (text: string): { line: string; number: number }[] =>
  text
    .split(/\r?\n/)
    .map((line, at) => ({ line, number: at + 1 }))
    .filter(({ line }) => line !== '');

const noColumn = (path: string, has: readonly string[], column: string | undefined): DynoError =>
  inputError('parameter.file', path, 'has several columns, of which one is to be named', {
    ...(column === undefined ? {} : { found: column }),
    allowed: `column: one of ${has.slice(0, 20).join(', ')}`,
  });

function ofTable(text: string, delimiter: string, path: string, column: string | undefined): unknown[] {
  let rows: string[][];
  try {
    rows = parse(text, { delimiter, bom: true, skip_empty_lines: true }) as string[][];
  } catch (error) {
    throw inputError('parameter.file', path, `is not a table: ${messageOf(error)}`);
  }
  const [header = [], ...data] = rows;
  const at = column === undefined && header.length === 1 ? 0 : header.indexOf(column ?? '');
  if (at < 0) throw noColumn(path, header, column);
  return data.map((row) => heldString(row[at]!));
}

/** Returns the error for a file that contains JSON, but not one value per line. */
function notJson(text: string, path: string): DynoError | undefined {
  const lines = linesOf(text.slice(0, LOOKED_AT)).map(({ line }) => line.trim());
  const named = { file: path, packing: packingOfFile(path) };
  const message = wrongLines(recognise({ lines, isCut: text.length > LOOKED_AT }), named, 'values');
  return message === undefined ? undefined : inputError('parameter.file', path, message);
}

function ofDocuments(text: string, path: string, column: string | undefined): unknown[] {
  const keys = column?.split('.');
  return linesOf(text).map(({ line, number }) => {
    let document: unknown;
    try {
      document = parseExact(line);
    } catch (error) {
      if (error instanceof JsonNotHeld)
        throw inputError('parameter.file', `${path}:${number}`, error.message);
      throw (
        notJson(text, path) ??
        inputError('parameter.file', `${path}:${number}`, `is not JSON: ${messageOf(error)}`)
      );
    }
    const value = keys === undefined ? document : answerAt(document, keys);
    if (value !== undefined) return value;
    throw inputError('parameter.file', `${path}:${number}`, 'has no such field', {
      found: column!,
      allowed: `a field of every document, such as ${Object.keys(document as object)
        .slice(0, 20)
        .join(', ')}`,
    });
  });
}
