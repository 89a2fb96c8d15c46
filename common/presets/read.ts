/**
 * Reads the YAML files of this folder into presets. Scripts do so once for what is bundled and for tests: what runs has the
 * presets themselves (index.ts).
 */
import type * as z from 'zod';
import type { DefinitionInput } from '../experiment/definition';
import { parseText } from '../experiment/document';
import { formatPath } from '../experiment/path';
import { problemsFrom } from '../experiment/problems';
import { readDefinition } from '../experiment/read';
import { settledBy } from '../fields/settle';
import { DynoError, showValue, type Problem } from '../problem';
import { below, fill, isObject, showPlace, type Fragments, type Place, type Written } from './fragments';
import { presetDefinition, type Preset } from './preset';
import { SCALES } from './scale';
import type { Doubt } from './published';
import {
  accountFile,
  figuresFile,
  presetFile,
  sharedFile,
  type AccountFile,
  type FiguresFile,
  type PresetFile,
  type PublishedRow,
} from './schema';

export interface PresetText {
  /** From the root of the project: `common/presets/sematext-refresh/account.yaml`. */
  file: string;
  text: string;
}

/** What is found while files are read, so that one look tells all of it. */
interface Findings {
  problems: Problem[];
  /** Fragments that stand in a preset or its figures. */
  used: Set<Written>;
}

interface Account extends AccountFile {
  presets: Preset[];
}

const FOLDER = 'common/presets';
const FIGURES = '.figures';
/** Place of accounts that name none. */
const LAST = Number.MAX_SAFE_INTEGER;

const problem = (place: Place, message: string, found: unknown, allowed: string): Problem => ({
  code: 'preset.file',
  path: showPlace(place),
  message,
  ...(found === undefined ? {} : { found: showValue(found) }),
  allowed,
});

function problemsIn(error: unknown): readonly Problem[] {
  if (error instanceof DynoError) return error.problems;
  throw error;
}

/** Null where its syntax is wrong. */
function parse({ file, text }: PresetText, { problems }: Findings): Written | null {
  try {
    return { value: parseText(text, file), place: { file, path: [] } };
  } catch (error) {
    problems.push(...problemsIn(error));
    return null;
  }
}

/** What `schema` makes of a file once its fragments stand in it; undefined where something is wrong. */
function read<T extends z.ZodType>(
  schema: T,
  written: Written,
  fragments: Fragments,
  { problems, used }: Findings,
): z.infer<T> | undefined {
  if (!isObject(written.value)) {
    problems.push(problem(written.place, 'wrong type', written.value, 'an object'));
    return undefined;
  }
  const filled = fill(written, fragments);
  for (const fragment of filled.used) used.add(fragment);
  problems.push(...filled.problems);
  if (filled.problems.length > 0) return undefined;
  const result = schema.safeParse(settledBy(schema, filled.value), { reportInput: true });
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    const place = showPlace(filled.placeOf(issue.path));
    for (const found of problemsFrom([issue], schema)) {
      // Of an unknown key its path goes on where that of the issue ends.
      const rest = found.path.slice(formatPath(issue.path).length);
      problems.push({ ...found, path: place + (issue.path.length === 0 ? `: ${rest}` : rest) });
    }
  }
  return undefined;
}

/** The fragments of an account's file or of shared.yaml, whatever else is right in it. */
function fragmentsIn({ value, place }: Written): Map<string, Written> {
  const own = isObject(value) && isObject(value['fragments']) ? value['fragments'] : {};
  return new Map(
    Object.entries(own).map(([name, fragment]) => [
      name,
      { value: fragment, place: below(place, 'fragments', name) },
    ]),
  );
}

const unused = (fragments: Fragments, { used }: Findings): Problem[] =>
  [...fragments.values()]
    .filter((fragment) => !used.has(fragment))
    .map(({ place, value }) =>
      problem(place, 'nothing uses this fragment', value, 'a fragment that is used'),
    );

/** What figures and the columns that are compared must have in common. */
function checkColumns(
  { compared }: PresetFile,
  place: Place,
  figures: FiguresFile | undefined,
  ofFigures: Place,
): Problem[] {
  const columns = Object.keys(figures?.units ?? {});
  const without = (names: object): string[] => Object.keys(names).filter((name) => !columns.includes(name));
  const allowed = columns.join(', ') || 'none, for it has no file of figures';
  const problems = without(compared).map((name) =>
    problem(below(place, 'compared', name), 'there is no such column', name, allowed),
  );
  if (figures === undefined) return problems;
  if (Object.keys(compared).length === 0)
    problems.push(problem(below(place, 'compared'), 'is missing', undefined, `metrics of ${allowed}`));
  for (const [row, { figures: own, doubts }] of figures.rows.entries()) {
    for (const name of without(doubts ?? {}))
      problems.push(
        problem(below(ofFigures, 'rows', row, 'doubts', name), 'there is no such column', name, allowed),
      );
    const at = (name: string): Place => below(ofFigures, 'rows', row, 'figures', name);
    for (const name of without(own))
      problems.push(problem(at(name), 'there is no such column', own[name], allowed));
    for (const name of columns)
      if (own[name] === undefined)
        problems.push(problem(at(name), 'is missing', undefined, 'a figure, or null where none is given'));
  }
  return problems;
}

/** What is wrong in the definition, as whoever runs it would be told, or else in its short form. */
function checkDefinitions(preset: Preset, place: Place): Problem[] {
  for (const scale of SCALES) {
    const at = showPlace(below(place, scale === 'full' ? 'definition' : 'quick'));
    try {
      readDefinition(presetDefinition(preset, scale));
    } catch (error) {
      return problemsIn(error).map((found) => ({ ...found, path: `${at}: ${found.path}` }));
    }
  }
  return [];
}

/** What of a note concerns the figures of a preset, which a fragment shares with others; undefined where nothing does. */
function doubtIn(written: PresetFile['notes'][number], { units }: FiguresFile): Doubt | undefined {
  if (typeof written === 'string') return undefined;
  const { note, figures = [], levels = {} } = written;
  const own = figures.filter((name) => name in units);
  if (figures.length > 0 && own.length === 0) return undefined;
  return {
    note,
    figures: own,
    levels: Object.fromEntries(Object.entries(levels).map(([path, level]) => [path, [level].flat()])),
  };
}

/** Its figures in the order of the columns, in whatever order they are written. */
const inColumns = (row: PublishedRow, { units }: FiguresFile): PublishedRow => ({
  ...row,
  figures: Object.fromEntries(
    Object.keys(units).flatMap((name) => {
      const figure = row.figures[name];
      return figure === undefined ? [] : [[name, figure]];
    }),
  ),
});

/** What a variant shares with the preset that it is one of; undefined where there is no such preset. */
function readOriginal(
  { 'variant-of': original }: PresetFile,
  name: string,
  files: ReadonlyMap<string, Written>,
  fragments: Fragments,
  { problems, used }: Findings,
): { file: PresetFile; figures: Written } | undefined {
  const { place } = files.get(name)!;
  const written = files.get(original!);
  const figures = files.get(`${original!}${FIGURES}`);
  if (files.has(`${name}${FIGURES}`))
    problems.push(
      problem(
        files.get(`${name}${FIGURES}`)!.place,
        `its figures are those of ${original!}`,
        name,
        'no such file',
      ),
    );
  if (original === name || written === undefined || figures === undefined) {
    const withFigures = [...files.keys()].filter((one) => files.has(`${one}${FIGURES}`) && one !== name);
    const allowed = withFigures.join(', ') || 'none, for no other preset has figures';
    problems.push(
      problem(below(place, 'variant-of'), 'there is no such preset with figures', original, allowed),
    );
    return undefined;
  }
  // What is wrong in it is said where it is read itself.
  const file = read(presetFile, written, fragments, { problems: [], used });
  return file && { file, figures };
}

function readPreset(
  name: string,
  files: ReadonlyMap<string, Written>,
  seed: string,
  { title, url, repeated, own }: AccountFile,
  fragments: Fragments,
  findings: Findings,
): Preset | undefined {
  const written = files.get(name)!;
  const file = read(presetFile, written, fragments, findings);
  const variantOf = file?.['variant-of'];
  const original = variantOf && file && readOriginal(file, name, files, fragments, findings);
  const ofFigures = original ? original.figures : files.get(`${name}${FIGURES}`);
  const figures = ofFigures && read(figuresFile, ofFigures, fragments, findings);
  if (file === undefined || (ofFigures && figures === undefined)) return undefined;
  if (variantOf !== undefined && original === undefined) return undefined;
  const { summary, quick, compared, notes, changes } = file;
  const conditions = [...(original ? original.file.conditions : []), ...file.conditions];
  const preset: Preset = {
    name,
    summary,
    // Whether it is one is looked at below.
    definition: file.definition as DefinitionInput,
    quick,
    published: {
      seed,
      title,
      ...(url === undefined ? {} : { url }),
      ...(own === undefined ? {} : { own }),
      ...(variantOf === undefined ? {} : { variantOf }),
      conditions,
      repeated,
      units: figures?.units ?? {},
      rows: figures?.rows.map((row) => inColumns(row, figures)) ?? [],
      compared: Object.entries(compared).map(([figure, metric]) => ({ figure, metric })),
      notes: notes.map((each) => (typeof each === 'string' ? each : each.note)),
      doubts: figures === undefined ? [] : notes.flatMap((each) => doubtIn(each, figures) ?? []),
      changes,
    },
  };
  if (conditions.length === 0)
    findings.problems.push(
      problem(below(written.place, 'conditions'), 'is missing', undefined, 'at least one sentence'),
    );
  const at = below(written.place, own === undefined ? 'changes' : 'compared');
  if (own === undefined && changes.length === 0)
    findings.problems.push(problem(at, 'is missing', undefined, 'at least one sentence'));
  if (own !== undefined && figures !== undefined)
    findings.problems.push(problem(at, 'nothing of it was published', undefined, 'no file of figures'));
  findings.problems.push(
    ...checkColumns(file, written.place, figures, ofFigures?.place ?? written.place),
    ...checkDefinitions(preset, written.place),
  );
  return preset;
}

/** `files` of the account's folder by their names without `.yaml`. */
function readAccount(
  seed: string,
  files: ReadonlyMap<string, Written>,
  shared: Fragments,
  findings: Findings,
): Account | undefined {
  const { problems } = findings;
  const written = files.get('account');
  if (written === undefined) {
    const place = { file: `${FOLDER}/${seed}/account.yaml`, path: [] };
    problems.push(problem(place, 'is missing', undefined, 'a file with at least title and repeated'));
    return undefined;
  }
  const own = fragmentsIn(written);
  const fragments = new Map([...shared, ...own]);
  // What its fragments use is used once a preset uses them.
  const account = read(accountFile, written, fragments, { problems, used: new Set() });
  if (account === undefined) return undefined;

  const names = [...files.keys()].filter((name) => name !== 'account' && !name.endsWith(FIGURES));
  for (const [name, { place }] of files) {
    if (name.endsWith(FIGURES) && !names.includes(name.slice(0, -FIGURES.length)))
      problems.push(
        problem(place, 'figures of no preset', name, names.map((one) => `${one}${FIGURES}`).join(', ')),
      );
  }
  for (const [index, name] of account.order.entries()) {
    if (!names.includes(name))
      problems.push(
        problem(below(written.place, 'order', index), 'there is no such preset', name, names.join(', ')),
      );
  }
  const inOrder = [...new Set([...account.order.filter((name) => names.includes(name)), ...names])];
  const before = problems.length;
  const presets = inOrder.flatMap(
    (name) => readPreset(name, files, seed, account, fragments, findings) ?? [],
  );
  // A preset that could not be read may be the one that uses it.
  if (problems.length === before) problems.push(...unused(own, findings));
  return { ...account, presets };
}

function namesTwice(presets: readonly Preset[]): Problem[] {
  const fileOf = ({ name, published }: Preset): string => `${FOLDER}/${published.seed}/${name}.yaml`;
  return presets.flatMap((preset, index) => {
    const first = presets.find(({ name }) => name === preset.name)!;
    if (presets.indexOf(first) === index) return [];
    const place = { file: fileOf(preset), path: [] };
    return [problem(place, 'another preset has this name', fileOf(first), 'a name of its own')];
  });
}

/**
 * The presets that `files` describe: accounts by their place, the presets of each in its order.
 * Throws a DynoError (`input`) with all problems: file and path, what was found and what is allowed.
 */
export function readPresets(files: readonly PresetText[]): Preset[] {
  const findings: Findings = { problems: [], used: new Set() };
  const { problems } = findings;
  const folders = new Map<string, Map<string, Written>>();
  let shared: Fragments = new Map();
  for (const source of files) {
    const [, folder, name] =
      /^(?:([\w-]+)\/)?([\w.-]+)\.yaml$/.exec(source.file.slice(FOLDER.length + 1)) ?? [];
    const written = parse(source, findings);
    if (name === undefined || (folder === undefined && name !== 'shared')) {
      const allowed = `${FOLDER}/shared.yaml, or NAME.yaml in the folder of an account`;
      problems.push(problem({ file: source.file, path: [] }, 'is no file of an account', undefined, allowed));
    } else if (written === null) {
      continue;
    } else if (folder === undefined) {
      shared = fragmentsIn(written);
      read(sharedFile, written, shared, { problems, used: new Set() });
    } else {
      folders.set(folder, (folders.get(folder) ?? new Map<string, Written>()).set(name, written));
    }
  }
  // Where a file is missing among the others, what they say of it would be wrong, too.
  if (problems.length > 0) throw new DynoError('input', problems);

  const accounts = [...folders].flatMap(([seed, own]) => readAccount(seed, own, shared, findings) ?? []);
  accounts.sort((a, b) => (a.place ?? LAST) - (b.place ?? LAST));
  const presets = accounts.flatMap((account) => account.presets);
  if (problems.length === 0) problems.push(...unused(shared, findings));
  problems.push(...namesTwice(presets));
  if (problems.length > 0) throw new DynoError('input', problems);
  return presets;
}
