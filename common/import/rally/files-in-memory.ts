/** Access to the files of a track that are in memory, for imports in the browser. */
import { inputError } from '../../problem';
import type { TrackFiles } from './template';

/** Returns a path without `.` and `..`: `a/c` for `a/./b/../c`. Returns undefined if the path leaves the root folder. */
function normalised(path: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

const matching = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replaceAll(/[$()+.[\\\]^{|}]/g, String.raw`\$&`)
      // As in a shell, `*` and `?` do not match a dot at the beginning of a file name.
      .replaceAll(/(^|\/)(?=[*?])/g, '$1(?!\\.)')
      .replaceAll('*', '[^/]*')
      .replaceAll(/(?<!\()\?/g, '[^/]')}$`,
  );

/**
 * Returns access to the files of a track. `files`: contents by path. `folder`: folder of the track; '' for the root. `shared`: names of
 * folders next to `folder` that the track may read too.
 */
export function filesInMemory(
  files: ReadonlyMap<string, string>,
  folder: string,
  shared: readonly string[] = [],
): TrackFiles {
  const parent = folder.split('/').slice(0, -1).join('/');
  const below = (one: string): string => (one === '' ? '' : `${one}/`);
  const places = [below(folder), ...shared.map((name) => `${below(parent)}${name}/`)];
  const locate = (relative: string): string => {
    const path = relative.startsWith('/') ? undefined : normalised(`${below(folder)}${relative}`);
    if (path === undefined || !places.some((place) => path.startsWith(place)))
      throw inputError('rally.file', relative, 'is outside the folder of the track', {
        allowed: 'a path below it',
      });
    return path;
  };
  return {
    read(relative) {
      const text = files.get(locate(relative));
      if (text !== undefined) return text;
      throw inputError('rally.file', relative, 'is not among the files', {
        allowed: 'the whole folder of the track, or an archive of it',
      });
    },
    glob(pattern) {
      const isMatch = matching(locate(pattern));
      const up = /^(?:\.\.\/)*/.exec(pattern)![0];
      const outer = up === '' ? below(folder) : below(parent);
      return [...files.keys()]
        .filter((path) => isMatch.test(path))
        .map((path) => up + path.slice(outer.length))
        .sort();
    },
  };
}
