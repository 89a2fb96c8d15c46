/** Addresses of pages about recorded traffic. */

const withQuery = (path: string, query: Readonly<Record<string, string | null>>): string => {
  const given = Object.entries(query).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  return `${path}?${new URLSearchParams(given).toString()}`;
};

/** Page of a file. `target`: id of the target on which the page offers a replay; null for the default. */
export const trafficPath = (file: string, target: string | null): string =>
  withQuery('/traffic', { file, target });

/** Editor with a definition that replays a file. `format`: its format; null if unknown. `lastsMs`: duration of the recording. */
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
