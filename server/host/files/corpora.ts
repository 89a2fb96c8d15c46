/** Which files the experiments of a server may read: those of one folder. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Definition } from '../../../common/experiment/definition';
import { resolveCells } from '../../../common/experiment/resolved-cells';
import { DynoError, type Problem } from '../../../common/problem';
import { filesOf } from '../../../common/tasks/registry';
import { fileOfSource } from '../../../common/tasks/source';

/** Beside everything else of Dyno's. */
export const corporaFolder = (dataFolder: string): string => path.join(dataFolder, 'corpora');

/** True for `folder` itself and what lies below it. */
function isWithin(folder: string, file: string): boolean {
  const way = path.relative(folder, file);
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

/** Where a link leads to counts; what is not there is for the preflight to miss. */
async function mayBeRead(folder: string, file: string): Promise<boolean> {
  if (file.includes('\0') || path.isAbsolute(file)) return false;
  const whole = path.resolve(folder, file);
  if (!isWithin(folder, whole)) return false;
  const [root, real] = await Promise.all(
    [folder, whole].map((each) => realpath(each).catch(() => undefined)),
  );
  return root === undefined || real === undefined || isWithin(root, real);
}

/** Where a definition names a file. */
export interface NamedFile {
  path: string;
  file: string;
}

/** Rejects with a DynoError `definition.file` (input) that names every file outside `folder`, levels of factors included. */
export const checkFiles = (definition: Definition, folder: string): Promise<void> =>
  checkRead(
    resolveCells(definition).flatMap(({ definition: own }) => {
      const ofPreload = own.preload?.source && fileOfSource(own.preload.source);
      const preloaded = ofPreload ? [{ path: `preload.source.${ofPreload.key}`, file: ofPreload.file }] : [];
      return [...preloaded, ...filesOf(own.tasks)];
    }),
    folder,
  );

/** Rejects with a DynoError `definition.file` (input) that names every one of `files` outside `folder`. */
export async function checkRead(files: readonly NamedFile[], folder: string): Promise<void> {
  const problems = new Map<string, Problem>();
  for (const { path: at, file } of files) {
    if (problems.has(file) || (await mayBeRead(folder, file))) continue;
    problems.set(file, {
      code: 'definition.file',
      path: at,
      message: 'experiments on this server can read files of one folder only',
      found: JSON.stringify(file),
      allowed: `a path relative to ${folder}, within it`,
    });
  }
  if (problems.size > 0) throw new DynoError('input', [...problems.values()]);
}
