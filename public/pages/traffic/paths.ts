/** Paths of pages about recorded traffic. */

const withQuery = (path: string, query: Readonly<Record<string, string | null>>): string => {
  const given = Object.entries(query).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  return `${path}?${new URLSearchParams(given).toString()}`;
};

/**
 * Returns the path of the page of a recording. `target`: id of the target that the page suggests for a replay; null for the default target.
 */
export const trafficPath = (file: string, target: string | null): string =>
  withQuery('/traffic', { file, target });

/**
 * Returns the path of the editor with a new definition that replays a recording. `format`: format of the file; null if unknown. `lastsMs`:
 * duration of the recording in ms; null if unknown.
 */
export const replayPath = (
  file: string,
  { target, format, lastsMs }: { target: string | null; format: string | null; lastsMs: number | null },
): string =>
  withQuery('/experiments/new', {
    traffic: file,
    target,
    format,
    lasts: lastsMs === null ? null : String(Math.round(lastsMs)),
  });
