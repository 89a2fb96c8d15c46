/** The runs that a link compares, in their order: the first is what the others are compared with. */

/** More cannot be read side by side, and the server takes no more. */
export const MOST_RUNS = 20;

export interface Chosen {
  runs: string[];
  /** Named more than once; a run says nothing about itself. */
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
