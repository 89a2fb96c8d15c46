/** `dyno import rally` and `dyno import osb`: convert a track of Rally or a workload of OpenSearch Benchmark to definitions. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseValue } from '../../../common/experiment/document';
import { challengeText, countLines, countOf, reasonLines } from '../../../common/import/rally/account';
import {
  convertChallenge,
  definitionText,
  type ConvertedChallenge,
  type ConvertedTask,
} from '../../../common/import/rally/definitions';
import { BENCHMARKS, type Benchmark } from '../../../common/import/rally/benchmark';
import { keyGroups, lostKeyCounts } from '../../../common/import/rally/unread';
import type { Expansion } from '../../../common/import/rally/expansion';
import { pythonOf, type Python } from '../../../common/import/rally/operations/operation';
import { readTrack, type Track } from '../../../common/import/rally/track';
import { nearest } from '../../../common/near';
import { describeProblem, DynoError, inputError } from '../../../common/problem';
import { shownSetting } from '../../../common/secrets/redact';
import { plural } from '../../../common/units/format';
import { expandTrack, TRACK_REFUSED } from '../../import/rally-python';
import { trackFolder } from '../../import/track-folder';
import { writeWhole } from '../../whole-file';
import type { Console } from '../terminal/console';

export { BENCHMARKS };

export interface ImportOptions {
  challenge?: string;
  /** The option `--test-procedure`: OpenSearch Benchmark's name for `challenge`. */
  testProcedure?: string;
  set: string[];
  to?: string;
  check?: boolean;
  /** Path of a Python interpreter in which Rally is installed. */
  python?: string;
}

/** Maximum number of values that are read from each parameter source (code of the track that creates requests). */
const VALUES = 1000;
/** Maximum number of values that `--check` reads from each parameter source, to test whether the source works. */
const VALUES_OF_CHECK = 3;

/** Maximum depth of folders below the root folder in which tracks are searched. */
const DEEPEST = 6;
/** Maximum number of tracks that `--check` accepts below one folder. */
const MOST_TRACKS = 1000;

const wrong = (where: string, message: string, allowed: string): Error =>
  inputError('import.input', where, message, { allowed });

function place(written: string, { file, track: what }: Benchmark): { folder: string; file: string } {
  if (!existsSync(written))
    throw wrong(written, 'there is no such file or folder', `the folder of a ${what}, or its ${file}`);
  const found = statSync(written);
  if (!found.isDirectory() && !found.isFile())
    throw wrong(written, 'is neither a file nor a folder', `the folder of a ${what}, or its ${file}`);
  if (found.isFile()) return { folder: path.dirname(path.resolve(written)), file: path.basename(written) };
  if (!existsSync(path.join(written, file)))
    throw wrong(written, `holds no ${file}`, `the folder of a ${what}, or its file`);
  return { folder: written, file };
}

/** Parses the values of `--set NAME=VALUE`. As in definitions, values that look like numbers or booleans become numbers or booleans. */
function paramsOf(settings: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    settings.map((setting): [string, unknown] => {
      const [, name, value] = /^([A-Za-z_][\w-]*)=([\s\S]*)$/.exec(setting) ?? [];
      if (name === undefined)
        throw inputError('command.set', '--set', 'needs name=value', { found: shownSetting(setting) });
      return [name, parseValue(value!)];
    }),
  );
}

interface Read {
  track: Track;
  python: Python;
}

function read(
  folder: string,
  file: string,
  params: Readonly<Record<string, unknown>>,
  benchmark: Benchmark,
): Read {
  const files = trackFolder(folder, benchmark.shared);
  const names = new Set<string>();
  const track = readTrack(
    path.basename(path.resolve(folder)),
    { files, params, now: Date.now(), onName: (name) => names.add(name) },
    benchmark,
    file,
  );
  const unknown = Object.keys(params).find((name) => !names.has(name));
  if (unknown !== undefined) {
    const meant = nearest(unknown, names);
    throw wrong(
      `--set ${unknown}`,
      `names no parameter of the ${benchmark.track}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
      `one of ${[...names].sort().join(', ')}`,
    );
  }
  return { track, python: pythonOf(files, benchmark) };
}

/**
 * Executes the Python code of a track with Rally. Resolves to the resulting schedule and values; undefined if the user named no Python
 * interpreter or the track has no code.
 */
type Expand = (
  track: Read & { folder: string; file: string },
  challenge: string | null,
) => Promise<Expansion | undefined>;

/**
 * Returns the function that executes the Python code of a track. `script`: path of `rally-expand.py`. `python`: path of the interpreter; if
 * undefined, the code is not executed.
 */
const expander =
  (
    python: string | undefined,
    script: string,
    params: Readonly<Record<string, unknown>>,
    values: number,
  ): Expand =>
  async ({ folder, file, python: { hasCode } }, challenge) =>
    python === undefined || !hasCode
      ? undefined
      : expandTrack({ python, script, folder, file, challenge, params, values });

/** Returns the folders below `root` that contain a track. `file`: name of the file that shows that a folder contains a track. */
function tracksBelow(root: string, file: string, depth = 0): string[] {
  if (depth > DEEPEST) return [];
  const entries = readdirSync(root, { withFileTypes: true });
  const own = entries.some((entry) => entry.isFile() && entry.name === file) ? [root] : [];
  const below = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap((entry) => tracksBelow(path.join(root, entry.name), file, depth + 1));
  return [...own, ...below].sort();
}

const convertAll = ({ track, python }: Read): ConvertedChallenge[] =>
  track.challenges.map((challenge) => convertChallenge(track, challenge, python));

/**
 * Executes the Python code of a track for `--check`. If Rally cannot load the track, calls `onRefused` with the reason, and returns the
 * track without the results of its Python code.
 */
async function expandedForCheck(
  found: Read & { folder: string; file: string },
  expand: Expand,
  onRefused: (reason: string) => void,
): Promise<Read> {
  try {
    return { ...found, python: { ...found.python, expansion: await expand(found, null) } };
  } catch (error) {
    if (!(error instanceof DynoError) || error.problems[0]!.code !== TRACK_REFUSED) throw error;
    onRefused(describeProblem(error.problems[0]!));
    return found;
  }
}

async function check(
  root: string,
  params: Readonly<Record<string, unknown>>,
  benchmark: Benchmark,
  expand: Expand,
  console: Console,
): Promise<number> {
  const { file, track: what } = benchmark;
  if (!existsSync(root) || !statSync(root).isDirectory())
    throw wrong(root, 'is not a folder', `a folder with ${what}s below it`);
  const folders = tracksBelow(root, file);
  if (folders.length === 0) throw wrong(root, `contains no ${file}`, `a folder with ${what}s below it`);
  if (folders.length > MOST_TRACKS)
    throw wrong(root, `contains ${folders.length} ${what}s`, `at most ${MOST_TRACKS}`);
  const unread: string[] = [];
  const all: { name: string; challenges: ConvertedChallenge[] }[] = [];
  for (const folder of folders) {
    const name = path.relative(root, folder) || path.basename(folder);
    const refuse = (reason: string): void => void unread.push(`${name}: ${reason}`);
    let found: Read;
    try {
      found = read(folder, file, params, benchmark);
    } catch (error) {
      if (!(error instanceof DynoError)) throw error;
      refuse(describeProblem(error.problems[0]!));
      continue;
    }
    const expanded = await expandedForCheck({ ...found, folder, file }, expand, refuse);
    all.push({ name, challenges: convertAll(expanded) });
  }
  const tasksOf = (challenges: readonly ConvertedChallenge[]): ConvertedTask[] =>
    challenges.flatMap(({ tasks }) => tasks);
  const converted = all.flatMap(({ challenges }) => challenges);
  for (const line of countLines(all.map(({ name, challenges }) => countOf(name, tasksOf(challenges)))))
    console.print(line);
  console.print('');
  console.print('Left out, and why:');
  for (const line of reasonLines(tasksOf(converted))) console.print(line);
  const keys = lostKeyCounts(
    keyGroups(
      converted.flatMap(({ unread }) => unread),
      benchmark,
    ),
  );
  if (keys.length > 0) console.print(`\nKeys that are not converted, in all ${benchmark.challenge}s:`);
  for (const line of keys) console.print(line);
  if (unread.length > 0) console.print(`\n${plural(unread.length, what)} could not be read:`);
  for (const line of unread) console.print(line);
  return unread.length > 0 ? 1 : 0;
}

function chosen({ track }: Read, name: string | undefined) {
  const { challenges, benchmark } = track;
  const found =
    name === undefined
      ? (challenges.find(({ isDefault }) => isDefault) ?? challenges[0])
      : challenges.find((one) => one.name === name);
  if (found === undefined) {
    const meant = nearest(
      name ?? '',
      challenges.map((one) => one.name),
    );
    throw wrong(
      `--${benchmark.challenge.replace(' ', '-')} ${name}`,
      `the ${benchmark.track} has no ${benchmark.challenge} of this name${meant === undefined ? '' : `; did you mean ${meant}?`}`,
      challenges.map((one) => one.name).join(', '),
    );
  }
  return found;
}

/** Converts the name of a challenge to the name of a folder. */
const folderName = (text: string): string =>
  text
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/^[.-]+/g, '')
    .toLowerCase();

/** Executes the import. Resolves to the exit code. `script`: path of `rally-expand.py`. */
export async function importBenchmark(
  written: string,
  { challenge: name, testProcedure = name, set, to, check: checks = false, python }: ImportOptions,
  benchmark: Benchmark,
  script: string,
  console: Console,
): Promise<number> {
  const params = paramsOf(set);
  const expand = expander(python, script, params, checks ? VALUES_OF_CHECK : VALUES);
  if (checks) return check(written, params, benchmark, expand, console);
  const { folder, file } = place(written, benchmark);
  const found = read(folder, file, params, benchmark);
  const challenge = chosen(found, testProcedure);
  const out = to ?? `${folderName(found.track.name)}-${folderName(challenge.name)}`;
  if (existsSync(out) && readdirSync(out).length > 0)
    throw wrong(out, 'already exists and is not empty', 'another folder with --to, or an empty one');
  if (python !== undefined && found.python.hasCode)
    console.print(`Rally is running the Python code of ${found.track.name}; this may take minutes ...`);
  const expansion = await expand({ ...found, folder, file }, challenge.name);
  const converted = convertChallenge(found.track, challenge, { ...found.python, expansion });
  await mkdir(out, { recursive: true });
  for (const one of converted.files) await writeWhole(path.join(out, `${one.name}.yml`), definitionText(one));
  for (const { data } of converted.tasks)
    if (data !== undefined) await writeWhole(path.join(out, data.file), data.text);
  const text = challengeText(converted);
  await writeWhole(path.join(out, 'README.md'), text);
  console.print(text);
  console.print(`Written to ${out}: ${plural(converted.files.length, 'definition')} and README.md`);
  return 0;
}
