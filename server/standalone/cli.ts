/**
 * The `dyno` command: reads the command line, executes one command and sets the exit code. Loads the code of a command when the command is
 * called. It then loads all files of the command at once, because a new build may replace files while the command is running.
 */
import nodeModule from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommanderError } from 'commander';
import { DynoError, describeProblem } from '../../common/problem';
import { shownAddresses } from '../../common/secrets/address';
import { withoutAddressSecrets } from '../../common/secrets/redact';
import { collectGarbageSeldom } from '../load/instrument/garbage';
import { program } from './cli/program';
import type { CommandLine } from './cli/registration';
import { collectorFiles } from './collector/files';
import { asDiskError } from './disk-error';
import { cacheFolder } from './downloads/cache-folder';
import { showSourceLines } from './source-lines';
import { processConsole } from './terminal/console';
import { usageErrorWithoutValues } from './terminal/usage-error';

declare const DYNO_VERSION: string;

const EXIT_INPUT = 2;
const EXIT_RUN = 3;

collectGarbageSeldom();
showSourceLines();
// Caches compiled code for later starts; Node.js 22.8 or newer. Without write access to the folder, nothing is cached.
(nodeModule as { enableCompileCache?: (folder: string) => void }).enableCompileCache?.(
  path.join(cacheFolder(), 'compiled'),
);

/** Folder that contains this file and the other built files. */
const BUILD = path.dirname(fileURLToPath(import.meta.url));

const console = processConsole();
let exitCode = 0;

const line: CommandLine = {
  context: {
    console,
    version: DYNO_VERSION,
    workerFile: path.join(BUILD, 'worker.js'),
    targetFile: path.join(BUILD, 'certify-target.js'),
    analysisFile: path.join(BUILD, 'analysis.js'),
    trafficFile: path.join(BUILD, 'traffic.js'),
    appFolder: path.join(BUILD, 'app'),
    ...collectorFiles(BUILD),
  },
  expandScript: path.join(BUILD, 'rally-expand.py'),
  recordFile: path.join(BUILD, 'record.js'),
  ends:
    (action) =>
    async (...args) => {
      exitCode = await action(...args);
    },
};

/** Returns the text of an error without passwords. An error may quote an argument that contains an address with a password. */
const shownError = (text: string): string =>
  withoutAddressSecrets(
    process.argv
      .slice(2)
      .map((argument) => argument.replace(/^--[\w-]+=/, ''))
      .filter((argument) => /:.*@/s.test(argument))
      .reduce((out, argument) => out.replaceAll(argument, shownAddresses(argument)), text),
  );

function codeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_INPUT;
  const known = asDiskError(error);
  if (known instanceof DynoError) {
    for (const problem of known.problems) console.warn(shownError(describeProblem(problem)));
    return known.kind === 'input' ? EXIT_INPUT : EXIT_RUN;
  }
  console.warn(shownError(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  return EXIT_RUN;
}

try {
  await program(line, (text) => process.stderr.write(shownError(usageErrorWithoutValues(text)))).parseAsync();
} catch (error) {
  exitCode = codeOf(error);
}
process.exitCode = exitCode === 0 && console.isLost ? EXIT_RUN : exitCode;
