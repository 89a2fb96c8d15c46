/** Ids of the runs in a URL of the page *Compare*. All runs are compared with the first one. */

/** Maximum number of runs. The server accepts no more, and the table would be too wide. */
export const MOST_RUNS = 20;

export interface Chosen {
  runs: string[];
  /** Ids of the runs that the link lists more than once. */
  twice: string[];
}

export function parseChosen(text: string): Chosen {
  const all = text
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean);
  const runs = [...new Set(all)];
  return {
    runs: runs.slice(0, MOST_RUNS),
    twice: runs.filter((id) => all.indexOf(id) !== all.lastIndexOf(id)),
  };
}

export const formatChosen = (runs: readonly string[]): string => runs.join(',');

export const withBaseline = (runs: readonly string[], id: string): string[] => [
  id,
  ...runs.filter((own) => own !== id),
];

export const without = (runs: readonly string[], id: string): string[] => runs.filter((own) => own !== id);
