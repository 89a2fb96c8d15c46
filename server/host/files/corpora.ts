/**
 * Restricts the files that experiments may read to one folder. The restriction applies to Kibana and the standalone server, but not to the
 * command `dyno`.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Definition } from '../../../common/experiment/definition';
import { resolveCells } from '../../../common/experiment/resolved-cells';
import { DynoError, type Problem } from '../../../common/problem';
import { filesOf } from '../../../common/tasks/registry';
import { fileOfSource } from '../../../common/tasks/source';

/** Returns the path of the folder that contains the files that experiments may read. It is in Dyno's data folder. */
export const corporaFolder = (dataFolder: string): string => path.join(dataFolder, 'corpora');

/** Returns true for `folder` itself and every path below it. */
function isWithin(folder: string, file: string): boolean {
  const way = path.relative(folder, file);
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

/**
 * Returns whether experiments may read the file. Symbolic links are resolved before the check. A missing file is allowed, because the
 * preflight reports it.
 */
async function mayBeRead(folder: string, file: string): Promise<boolean> {
  if (file.includes('\0') || path.isAbsolute(file)) return false;
  const whole = path.resolve(folder, file);
  if (!isWithin(folder, whole)) return false;
  const [root, real] = await Promise.all(
    [folder, whole].map((each) => realpath(each).catch(() => undefined)),
  );
  return root === undefined || real === undefined || isWithin(root, real);
}

/** A file that a definition names. `path`: path of the key in the definition. */
export interface NamedFile {
  path: string;
  file: string;
}

/**
 * Checks all files that the definition reads, including those in levels of factors. Rejects with an input error `definition.file` that
 * lists every file outside `folder`.
 */
export const checkFiles = (definition: Definition, folder: string): Promise<void> =>
  checkRead(
    resolveCells(definition).flatMap(({ definition: own }) => {
      const ofPreload = own.preload?.source && fileOfSource(own.preload.source);
      const preloaded = ofPreload ? [{ path: `preload.source.${ofPreload.key}`, file: ofPreload.file }] : [];
      return [...preloaded, ...filesOf(own.tasks)];
    }),
    folder,
  );

/** Checks that all `files` are in `folder`. Rejects with an input error `definition.file` that lists every file outside it. */
export async function checkRead(files: readonly NamedFile[], folder: string): Promise<void> {
  const problems = new Map<string, Problem>();
  for (const { path: at, file } of files) {
    if (problems.has(file) || (await mayBeRead(folder, file))) continue;
    problems.set(file, {
      code: 'definition.file',
      path: at,
      message: 'experiments on this server can read only the files in one folder',
      found: JSON.stringify(file),
      allowed: `a path relative to ${folder}, within it`,
    });
  }
  if (problems.size > 0) throw new DynoError('input', [...problems.values()]);
}
