/**
 * `dyno learn`: writes a profile of documents that does not contain their values. With `--compare`, compares generated documents with the
 * originals.
 */
import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { formatYaml, parseText } from '../../../common/experiment/document';
import { stringifyExact } from '../../../common/json/exact';
import { inputError, messageOf } from '../../../common/problem';
import { formatBytes, formatNumber, plural } from '../../../common/units/format';
import { readProfile } from '../../../common/generators/profile/profile';
import {
  compare,
  learn,
  openSource,
  type Comparison,
  type LearnSource,
  type LeftOut,
} from '../../learn/learn';
import { openProfile } from '../../load/sources/profile';
import { writeWhole } from '../../whole-file';
import { openPlaces, type PlaceOptions, type Places } from '../host';
import type { Console } from '../terminal/console';
import { onSignal } from '../terminal/signals';

export interface LearnCommandOptions extends PlaceOptions {
  to?: string;
  documents: number;
  keepValues: string[];
  keepFrom: number;
  mapping?: string;
  compare?: boolean;
}

const isFile = (name: string): boolean => existsSync(name) && statSync(name).isFile();

async function readMapping(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const read = parseText(await readFile(file, 'utf8'), path.basename(file)) as Record<string, unknown>;
    return (read['mappings'] as Record<string, unknown> | undefined) ?? read;
  } catch (error) {
    throw inputError('learn.mapping', '--mapping', `cannot be read: ${messageOf(error)}`, { found: file });
  }
}

/** Returns the default name of the profile: `x.profile.json` for the sources `x.ndjson.gz`, `x-*` and `/data/x.ndjson`. */
function fileNameOf(source: string): string {
  const name = path.basename(source).replace(/(\.(ndjson|jsonl|json|log|gz|zst))+$/i, '');
  return `${name.replaceAll(/[^\w.-]+/g, '-').replaceAll(/^[-.]+|[-.]+$/g, '') || 'learned'}.profile.json`;
}

/** Executes `dyno learn`. Resolves to the exit code. */
export async function learnCommand(
  name: string,
  profileFile: string | undefined,
  options: LearnCommandOptions,
  console: Console,
): Promise<number> {
  if (options.compare && profileFile === undefined)
    throw inputError('command.compare', '--compare', 'needs a profile after the index or file', {
      allowed: 'dyno learn --compare INDEX PROFILE',
    });
  if (!options.compare && profileFile !== undefined)
    throw inputError('command.learn', profileFile, 'an existing profile works only with --compare', {
      allowed: '--compare, or --to FILE to write a new profile',
    });
  const ofFile = isFile(name);
  // Learning from a file needs no cluster.
  const places =
    ofFile && !options.compare ? undefined : await openPlaces({ ...options, collector: false }, console);
  const stopped = new AbortController();
  onSignal(
    () => stopped.abort(inputError('learn.interrupted', name, 'was interrupted')),
    () => process.exit(3),
  );
  try {
    const source: LearnSource = ofFile
      ? {
          kind: 'file',
          file: name,
          mapping: options.mapping === undefined ? undefined : await readMapping(options.mapping),
        }
      : { kind: 'index', index: name, client: places!.target };
    return options.compare
      ? await compareWith(source, profileFile!, options, places!, stopped.signal, console)
      : await learnFrom(source, name, options, console);
  } finally {
    await places?.close();
  }
}

/** Maximum number of fields in one line of output. */
const MOST_NAMED = 20;

const LONGEST_NAMED = 60;

/** Shortens and quotes the name of a field, because the name comes from documents and may contain any character. */
function shown(name: string): string {
  const short = name.length > LONGEST_NAMED ? `${name.slice(0, LONGEST_NAMED - 3)}...` : name;
  return /^[\p{L}\p{N}@_:/-]+(?:\.[\p{L}\p{N}@_:/-]+)*(?:\.{3})?$/u.test(short)
    ? short
    : JSON.stringify(short);
}

function leftOutLine({ reason, fields }: LeftOut): string {
  const named = fields.slice(0, MOST_NAMED).map(shown).join(', ');
  const more = fields.length - MOST_NAMED;
  return `Left out, because ${reason}: ${named}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`;
}

async function learnFrom(
  source: LearnSource,
  name: string,
  { to = fileNameOf(name), documents, keepValues, keepFrom }: LearnCommandOptions,
  console: Console,
): Promise<number> {
  const learned = await learn(source, {
    documents,
    keep: keepValues,
    keepFrom,
    onProgress: (read, of) =>
      console.say(`${formatNumber(read)}${of === undefined ? '' : ` of ${formatNumber(of)}`} documents read`),
  });
  const text = `${stringifyExact(learned.profile)}\n`;
  // The profile is parsed before it is written, so that a run can always read it.
  readProfile(text, to);
  const definition = to.replace(/(\.profile)?\.json$/i, '') + '.yml';
  if (existsSync(definition))
    throw inputError(
      'learn.exists',
      definition,
      'already exists, and the new definition would overwrite it',
      {
        allowed: '--to with another name',
      },
    );
  await writeWhole(to, text);
  await writeWhole(definition, definitionText(path.basename(to), learned.profile, source));
  for (const line of [
    `Learned from ${plural(learned.documents, 'document')}${learned.total === undefined ? '' : ` of ${formatNumber(learned.total)}`}.`,
    `${to}: the profile, ${formatBytes(Buffer.byteLength(text))}. ${
      keepValues.length === 0
        ? 'It contains names of fields, but no values of documents.'
        : `It contains names of fields, and those values of ${keepValues.join(', ')} that at least ${keepFrom} documents have.`
    }`,
    ...learned.kept.map(
      ({ field, kept, made }) =>
        `${field}: ${plural(kept, 'value')} kept unchanged, ${formatNumber(made)} replaced by generated ones because too few documents have them.`,
    ),
    `${definition}: a definition that loads such documents, with their mapping.`,
    ...learned.leftOut.map(leftOutLine),
  ])
    console.print(line);
  return 0;
}

/**
 * Returns the YAML text of a simple experiment that ingests documents of the profile. The text contains the mapping. Therefore, the
 * experiment needs no file except the profile.
 */
function definitionText(
  profile: string,
  { mapping, settings }: { mapping: object; settings: object },
  source: LearnSource,
): string {
  return formatYaml({
    version: 1,
    name: `Documents like those of ${source.kind === 'index' ? source.index : path.basename(source.file)}`,
    index: { settings: { number_of_replicas: 0, ...settings }, mapping },
    tasks: [
      {
        name: 'ingest',
        ingest: { source: { generator: { profile } }, bulk: { docs: 1000 } },
        executor: { 'constant-clients': { clients: 4 } },
      },
    ],
    measure: { warmup: '10s', duration: '30s' },
  });
}

async function compareWith(
  source: LearnSource,
  profileFile: string,
  { documents }: LearnCommandOptions,
  { target }: Places,
  signal: AbortSignal,
  console: Console,
): Promise<number> {
  const profile = openProfile(profileFile);
  const opened = await openSource(source, documents);
  const comparison = await compare({
    connection: target,
    profile,
    documents: opened.documents(),
    onProgress: (text) => console.say(text),
    signal,
  });
  for (const line of comparisonLines(comparison)) console.print(line);
  return 0;
}

const difference = (original: number, made: number): string => {
  if (original === made) return '0%';
  if (original === 0) return '–';
  const percent = (made / original - 1) * 100;
  return `${percent > 0 ? '+' : ''}${percent.toFixed(1)}%`;
};

/** Aligns the columns of a table: the first one left, the others right. */
function tableLines(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
}

/** Returns the output of `--compare`. */
export function comparisonLines({ original, made, fields }: Comparison): string[] {
  const row = (name: string, one: number, other: number, show: (value: number) => string): string[] => [
    name,
    show(one),
    show(other),
    difference(one, other),
  ];
  const perDocument = (bytes: number, documents: number): number => bytes / Math.max(1, documents);
  const tenths = (value: number): string => formatNumber(Math.round(value * 10) / 10);
  const whole = [
    ['', 'original', 'generated', 'difference'],
    row('documents', original.documents, made.documents, formatNumber),
    row('bytes sent per document', original.sentBytes, made.sentBytes, tenths),
    row(
      'bytes on disk per document',
      perDocument(original.storeBytes, original.documents),
      perDocument(made.storeBytes, made.documents),
      tenths,
    ),
    row('segments', original.segments, made.segments, formatNumber),
    row('bytes of the segment', original.storeBytes, made.storeBytes, formatNumber),
  ];
  const terms = fields
    .filter(({ name }) => original.distinct.has(name) || made.distinct.has(name))
    .map(({ name, type }) =>
      row(`${name} (${type})`, original.distinct.get(name) ?? 0, made.distinct.get(name) ?? 0, formatNumber),
    );
  const names = [...new Set([...Object.keys(original.fields), ...Object.keys(made.fields)])];
  const bytes = names.map((name) =>
    row(name, original.fields[name] ?? 0, made.fields[name] ?? 0, formatNumber),
  );
  return [
    ...tableLines(whole),
    ...(terms.length === 0
      ? []
      : [
          '',
          ...tableLines([['Different values or terms', 'original', 'generated', 'difference'], ...terms]),
        ]),
    ...(bytes.length === 0
      ? []
      : ['', ...tableLines([['Bytes by field', 'original', 'generated', 'difference'], ...bytes])]),
  ];
}
