/** Creates tracks for tests. */
import { inputError } from '../../../problem';
import type { TrackFiles } from '../template';
import type { Python } from '../operations/operation';
import { readTrack, type Track } from '../track';

export const NO_PYTHON: Python = { hasCode: false, changesTrack: false };

/** Returns access to these files. `files`: contents by path. In patterns, `*` matches everything except a slash. */
export const madeFiles = (files: Readonly<Record<string, string>>): TrackFiles => ({
  read(path) {
    const found = files[path.replace(/^\.\//, '')];
    if (found === undefined) throw inputError('rally.file', path, 'does not exist');
    return found;
  },
  glob: (pattern) => {
    const matches = new RegExp(`^${pattern.replaceAll('.', String.raw`\.`).replaceAll('*', '[^/]*')}$`);
    return Object.keys(files)
      .filter((path) => matches.test(path))
      .sort();
  },
});

/** Reads a track from these files. `track`: content of `track.json`, as a text or an object. */
export function madeTrack(
  track: unknown,
  files: Readonly<Record<string, string>> = {},
  params: Readonly<Record<string, unknown>> = {},
): Track {
  const text = typeof track === 'string' ? track : JSON.stringify(track);
  return readTrack('made', { files: madeFiles({ ...files, 'track.json': text }), params, now: 0 });
}
