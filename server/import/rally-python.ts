/**
 * Converts a Rally track to plain requests and parameters by running Rally in a Python interpreter that the user has specified. The Python
 * code of the track has the rights of this process. Therefore, the interpreter is only started with the option `--python`.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Expansion } from '../../common/import/rally/expansion';
import { stringifyPlain } from '../../common/json/exact';
import { inputError, messageOf } from '../../common/problem';
import { formatDuration } from '../../common/units/format';

export interface ExpandOrder {
  /** Path of the Python interpreter, or its name if it is in the `PATH`. */
  python: string;
  /** Path of `rally-expand.py`. */
  script: string;
  folder: string;
  /** Name of the track's main file in the folder of the track. */
  file: string;
  /** Challenge of the track to convert; null for all challenges. */
  challenge: string | null;
  /** Parameters of the track, as in the option `--track-params` of Rally. */
  params: Readonly<Record<string, unknown>>;
  /** Maximum number of times that each parameter source is called. */
  values: number;
  /** Time limit of the whole script, in ms. */
  limit?: number;
}

/** Code of the problem if Rally cannot load the track. All other problem codes concern the interpreter. */
export const TRACK_REFUSED = 'import.python-track';

/** Default time limit, in ms. It is long because parameter sources may read large files, once for each of their tasks. */
const LIMIT_MS = 30 * 60_000;
/** Maximum size of the script's output, in bytes. In addition, the script limits the output of each task. */
const MOST_BYTES = 1024 ** 3;
/** Number of characters that are stored from the end of standard error. Its last line says why the script has ended. */
const KEPT_ERRORS = 4000;

const INSTALL =
  'a Python with esrally: `python3 -m venv rally && rally/bin/pip install "esrally>=2.11,<3"`, then --python rally/bin/python3';

/**
 * Environment variables that are passed to Python, because it needs them. The code of a track receives no others, because some contain
 * passwords.
 */
const PASSED = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'LD_LIBRARY_PATH', 'VIRTUAL_ENV'];

const environment = (home: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(PASSED.map((name) => [name, process.env[name]])),
  PYTHONIOENCODING: 'utf-8',
  PYTHONDONTWRITEBYTECODE: '1',
  // Rally stores its own files below this folder, and rendered tracks in the folder for temporary files.
  RALLY_HOME: home,
  TMPDIR: home,
});

/**
 * Runs Rally and returns the requests and parameters that the Python code of a track creates. Rejects with a DynoError that says how the
 * user can fix the problem.
 */
export async function expandTrack(order: ExpandOrder): Promise<Expansion> {
  const home = await mkdtemp(path.join(tmpdir(), 'dyno-rally-'));
  try {
    return await run(order, home);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function run(order: ExpandOrder, home: string): Promise<Expansion> {
  const { python, script, folder, file, challenge, params, values, limit = LIMIT_MS } = order;
  const wrong = (message: string, allowed?: string, code = 'import.python'): Error =>
    inputError(code, `--python ${python}`, message, allowed === undefined ? {} : { allowed });
  const program = python.includes(path.sep) ? path.resolve(python) : python;
  const child = spawn(program, [script, path.resolve(folder), file], {
    cwd: home,
    env: environment(home),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stopped: string | undefined;
  const stop = (reason: string): void => {
    stopped ??= reason;
    child.kill('SIGKILL');
  };
  const timer = setTimeout(
    () => stop(`took longer than ${formatDuration(limit)} to expand the track`),
    limit,
  );
  const ended = new Promise<NodeJS.Signals | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (_, signal) => resolve(signal));
  });
  // Errors of writing are ignored, because they only mean that the process has ended. The code below reports why the process has ended.
  child.stdin.on('error', () => undefined);
  child.stdin.end(stringifyPlain({ challenge, params, values }));
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-KEPT_ERRORS);
  });
  let bytes = 0;
  child.stdout.on('data', ({ length }: Buffer) => {
    bytes += length;
    if (bytes > MOST_BYTES) stop('printed more than 1 GB');
  });
  const expansion = new Expansion();
  createInterface({ input: child.stdout }).on('line', (line) => {
    try {
      expansion.add(line);
    } catch {
      stop('printed a line that is not from the script of Dyno');
    }
  });
  let signal;
  try {
    signal = await ended;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw wrong(
      code === 'ENOENT' ? 'no such program exists' : `cannot be started: ${messageOf(error)}`,
      INSTALL,
    );
  } finally {
    clearTimeout(timer);
  }
  if (stopped !== undefined) throw wrong(stopped);
  const { refusal } = expansion;
  if (refusal?.refused === 'track')
    throw inputError(TRACK_REFUSED, file, `Rally does not load this track: ${refusal.message}`, {
      allowed: `a track that Rally loads, or no --python`,
    });
  if (refusal !== undefined) throw wrong(refusal.message, INSTALL);
  if (!expansion.isWhole) {
    const last = errors.trim().split('\n').at(-1) ?? '';
    throw wrong(
      `${signal === null ? 'ended' : `was ended by ${signal}`} before it had expanded the track${last === '' ? '' : `: ${last}`}`,
      INSTALL,
    );
  }
  return expansion;
}
