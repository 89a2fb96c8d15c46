/** Explains why a node did not start, from its log. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ENGINE_NAMES, type Engine } from '../../../common/elasticsearch/engine';
import { type DynoError, runError } from '../../../common/problem';
import { logsOf } from './node-folder';

interface Cause {
  pattern: RegExp;
  code: string;
  /** Returns the explanation of the failure for the user. `name`: name of the engine. */
  message: (name: string) => string;
}

const dataLocked = (): string => 'the data folder is in use by another node';

const CAUSES: readonly Cause[] = [
  {
    pattern: /BindHttpException|BindTransportException|Address already in use/,
    code: 'elasticsearch.port-in-use',
    message: (name) => `a port of ${name} is taken by another program`,
  },
  {
    pattern: /Lock held by|LockObtainFailedException/,
    code: 'elasticsearch.data-locked',
    message: dataLocked,
  },
  {
    pattern: /Mount point not found/,
    code: 'elasticsearch.no-mount-point',
    message: () =>
      'Java finds no mount point above the data folder, for example in a chroot; run `mount --bind FOLDER FOLDER` before chroot',
  },
  {
    pattern: /UnsupportedClassVersionError|minimum required Java version|unsupported Java/i,
    code: 'elasticsearch.wrong-java',
    message: (name) => `this Java cannot run ${name}; set DYNO_JAVA_HOME to another JDK (21 or later)`,
  },
  {
    pattern:
      /insufficient memory for the Java Runtime|Could not reserve enough space|Cannot allocate memory|java\.lang\.OutOfMemoryError/,
    code: 'elasticsearch.no-memory',
    message: (name) => `there is not enough memory for the heap of ${name}; use a smaller heap`,
  },
  {
    pattern: /Invalid (maximum|initial) heap size|Too small (maximum|initial) heap/,
    code: 'elasticsearch.heap-refused',
    message: () => 'the JVM refuses this heap size',
  },
  {
    pattern: /unknown setting \[|Failed to parse value|failed to parse setting/i,
    code: 'elasticsearch.setting-refused',
    message: (name) => `${name} refuses a setting`,
  },
  {
    pattern: /No space left on device/,
    code: 'disk.full',
    message: () => 'the disk of the data folder is full',
  },
  {
    pattern: /AccessDeniedException|Permission denied/,
    code: 'elasticsearch.folder-unreachable',
    message: (name) => `${name} may not read or write one of its folders`,
  },
  {
    // This pattern must be the last one. The message may be the consequence of another error in the same log, which the earlier patterns
    // match.
    pattern: /failed to obtain node lock/,
    code: 'elasticsearch.data-locked',
    message: dataLocked,
  },
];

/** Returns the last useful lines of a log: warnings and errors if there are any, without stack frames. */
export function usefulLines(log: string, count = 6): string[] {
  const lines = log
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+(at |\.\.\. \d+ more)/.test(line));
  const warnings = lines.filter((line) =>
    /\[(WARN|ERROR|FATAL)\s*\]|^(ERROR|Error|Exception|Caused by|fatal)|\w+(Error|Exception):/.test(line),
  );
  return (warnings.length > 0 ? warnings : lines).slice(-count).map((line) => line.slice(0, 400));
}

/**
 * Creates the error for a failed start. `log`: console output of the node. `where`: folder of the node. `situation`: beginning of the error
 * message, such as `the node dyno-1 did not start`.
 */
export function explainFailure(
  log: string,
  where: string,
  situation: string,
  engine: Engine = 'elasticsearch',
): DynoError {
  const cause = CAUSES.find(({ pattern }) => pattern.test(log));
  const excerpt = usefulLines(log).map((line) => `\n    ${line}`);
  return runError(
    cause?.code ?? 'elasticsearch.not-started',
    where,
    `${situation}${cause ? `: ${cause.message(ENGINE_NAMES[engine])}` : ''}. Last lines of its log:${excerpt.join('') || ' none'}`,
  );
}

/** Returns the path of a node's console output. */
export const consoleLogOf = (folder: string): string => join(logsOf(folder), 'console.log');

export const readConsoleLog = (folder: string): Promise<string> =>
  readFile(consoleLogOf(folder), 'utf8').catch(() => '');
