/**
 * Gives access to the files of a track on disk. The track may come from an untrusted source. Therefore, files outside its folder are
 * refused, even if a symbolic link in the folder leads to them.
 */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { TrackFiles } from '../../common/import/rally/template';
import { inputError } from '../../common/problem';

/** Maximum size of a file of a track, in bytes. The largest file in Rally's own tracks has 2 MB. */
const LARGEST = 20_000_000;

const refused = (file: string, message: string, allowed: string): Error =>
  inputError('rally.file', file, message, { allowed });

const asPattern = (name: string): RegExp =>
  new RegExp(
    `^${name
      .replaceAll(/[$()+.[\\\]^{|}]/g, String.raw`\$&`)
      .replaceAll('*', '[^/]*')
      .replaceAll('?', '[^/]')}$`,
  );

/**
 * Returns an object that reads the files below `folder`, which must exist. `shared`: names of folders next to `folder` whose files may be
 * read too.
 */
export function trackFolder(folder: string, shared: readonly string[] = []): TrackFiles {
  const root = realpathSync(folder);
  const beside = shared
    .map((name) => path.join(path.dirname(root), name))
    .filter((place) => existsSync(place));
  const places = [root, ...beside.map((place) => realpathSync(place))];
  const inside = (file: string): boolean =>
    places.some((place) => file === place || file.startsWith(place + path.sep));
  /** Returns the real path of a file; null if the file does not exist. Throws if the file is outside the allowed folders. */
  const locate = (relative: string): string | null => {
    const written = path.resolve(root, relative);
    if (!inside(written))
      throw refused(relative, 'is outside the folder of the track', `a path below ${root}`);
    let file;
    try {
      file = realpathSync(written);
    } catch {
      return null;
    }
    if (!inside(file))
      throw refused(relative, 'is a link that leads out of the folder of the track', `files below ${root}`);
    return file;
  };
  return {
    read(relative) {
      const file = locate(relative);
      if (file === null) throw refused(relative, 'does not exist', `a file of the track in ${root}`);
      const { size } = statSync(file);
      if (!statSync(file).isFile()) throw refused(relative, 'is not a file', 'a file of the track');
      if (size > LARGEST) throw refused(relative, `has ${size} bytes`, `at most ${LARGEST}`);
      return readFileSync(file, 'utf8');
    },
    glob(pattern) {
      let found = [''];
      for (const part of path.posix.normalize(pattern).split('/')) {
        if (!/[*?]/.test(part)) {
          found = found.map((above) => path.posix.join(above, part));
          continue;
        }
        const matches = asPattern(part);
        found = found.flatMap((above) => {
          const folderAt = locate(above === '' ? '.' : above);
          if (folderAt === null || !statSync(folderAt).isDirectory()) return [];
          // As in a shell, a file name that starts with a dot only matches a pattern that starts with a dot.
          return readdirSync(folderAt)
            .filter((name) => matches.test(name) && (!name.startsWith('.') || part.startsWith('.')))
            .map((name) => path.posix.join(above, name));
        });
      }
      return found.filter((one) => locate(one) !== null).sort();
    },
  };
}
