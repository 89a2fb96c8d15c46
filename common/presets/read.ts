/**
 * Reads the YAML files of this folder into presets. Scripts do this once, for bundles and for tests. The application gets the presets from
 * index.ts.
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
import type { FigureNote } from './published';
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
  /** Path from the root of the project: `common/presets/sematext-refresh/account.yaml`. */
  file: string;
  text: string;
}

/** Problems and used fragments in all files together. One error can therefore report all problems. */
interface Findings {
  problems: Problem[];
  /** Fragments that a preset or its figures use. */
  used: Set<Written>;
}

interface Account extends AccountFile {
  presets: Preset[];
}

const FOLDER = 'common/presets';
const FIGURES = '.figures';
/** Position in the list for published benchmarks whose file contains no position. */
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

/** Parses a file; null if its syntax is wrong. */
function parse({ file, text }: PresetText, { problems }: Findings): Written | null {
  try {
    return { value: parseText(text, file), place: { file, path: [] } };
  } catch (error) {
    problems.push(...problemsIn(error));
    return null;
  }
}

/** Returns the contents of a file, with its fragments inserted and parsed by `schema`. Returns undefined if there is a problem. */
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
      // The name of an unknown key is added to the path of the issue.
      const rest = found.path.slice(formatPath(issue.path).length);
      problems.push({ ...found, path: place + (issue.path.length === 0 ? `: ${rest}` : rest) });
    }
  }
  return undefined;
}

/** Returns the fragments in an account.yaml or in shared.yaml, even if other parts of the file have problems. */
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

/**
 * Returns problems with the columns of the published figures. Each column must occur in every row. Columns that are compared with metrics
 * must exist.
 */
function checkColumns(
  { compared }: PresetFile,
  place: Place,
  figures: FiguresFile | undefined,
  ofFigures: Place,
): Problem[] {
  const columns = Object.keys(figures?.units ?? {});
  const without = (names: object): string[] => Object.keys(names).filter((name) => !columns.includes(name));
  const allowed = columns.join(', ') || 'none, because there is no file of figures';
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
        problems.push(problem(at(name), 'is missing', undefined, 'a figure, or null if none was published'));
  }
  return problems;
}

/** Returns the problems in the definition of a preset. If it has none, returns the problems in its short form. */
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

/**
 * Converts a note on certain figures to a note on the figures of this preset. Several presets can share a note. Returns undefined if the
 * note does not concern any column of this preset.
 */
function figureNoteIn(written: PresetFile['notes'][number], { units }: FiguresFile): FigureNote | undefined {
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

/** Returns a row with its figures in the order of the columns. */
const inColumns = (row: PublishedRow, { units }: FiguresFile): PublishedRow => ({
  ...row,
  figures: Object.fromEntries(
    Object.keys(units).flatMap((name) => {
      const figure = row.figures[name];
      return figure === undefined ? [] : [[name, figure]];
    }),
  ),
});

/** Returns the preset on which a variant is based: its file and its figures. Undefined if no preset has this name. */
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
    const allowed = withFigures.join(', ') || 'none, because no other preset has figures';
    problems.push(
      problem(below(place, 'variant-of'), 'there is no such preset with figures', original, allowed),
    );
    return undefined;
  }
  // Problems in the original preset are not reported here, because it is also read as a preset itself.
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
    // The definition is checked below.
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
      doubts: figures === undefined ? [] : notes.flatMap((each) => figureNoteIn(each, figures) ?? []),
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

/** Reads a published benchmark. `files`: files of its folder, by name without `.yaml`. */
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
  // A fragment that is used only by another fragment counts as used once a preset uses that one.
  const account = read(accountFile, written, fragments, { problems, used: new Set() });
  if (account === undefined) return undefined;

  const names = [...files.keys()].filter((name) => name !== 'account' && !name.endsWith(FIGURES));
  for (const [name, { place }] of files) {
    if (name.endsWith(FIGURES) && !names.includes(name.slice(0, -FIGURES.length)))
      problems.push(
        problem(place, 'no preset has this name', name, names.map((one) => `${one}${FIGURES}`).join(', ')),
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
  // A preset that could not be read may use a fragment, so unused fragments are reported only without other problems.
  if (problems.length === before) problems.push(...unused(own, findings));
  return { ...account, presets };
}

function namesTwice(presets: readonly Preset[]): Problem[] {
  const fileOf = ({ name, published }: Preset): string => `${FOLDER}/${published.seed}/${name}.yaml`;
  return presets.flatMap((preset, index) => {
    const first = presets.find(({ name }) => name === preset.name)!;
    if (presets.indexOf(first) === index) return [];
    const place = { file: fileOf(preset), path: [] };
    return [problem(place, 'another preset has this name', fileOf(first), 'a unique name')];
  });
}

/**
 * Returns the presets in `files`. The published benchmarks are sorted by their key `place`. The presets of each benchmark are in the order
 * of its key `order`. Throws a DynoError (`input`) that lists all problems, each with its file and path, the found value and what is
 * allowed.
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
      problems.push(
        problem({ file: source.file, path: [] }, 'is not a file of an account', undefined, allowed),
      );
    } else if (written === null) {
      continue;
    } else if (folder === undefined) {
      shared = fragmentsIn(written);
      read(sharedFile, written, shared, { problems, used: new Set() });
    } else {
      folders.set(folder, (folders.get(folder) ?? new Map<string, Written>()).set(name, written));
    }
  }
  // If a file is missing here, problems of other files that refer to it would be misleading.
  if (problems.length > 0) throw new DynoError('input', problems);

  const accounts = [...folders].flatMap(([seed, own]) => readAccount(seed, own, shared, findings) ?? []);
  accounts.sort((a, b) => (a.place ?? LAST) - (b.place ?? LAST));
  const presets = accounts.flatMap((account) => account.presets);
  if (problems.length === 0) problems.push(...unused(shared, findings));
  problems.push(...namesTwice(presets));
  if (problems.length > 0) throw new DynoError('input', problems);
  return presets;
}
