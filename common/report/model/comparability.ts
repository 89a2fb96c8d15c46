/** Whether runs may be compared, and what differs between them: said first, because it decides what their figures mean. */
import { PLACE_TRAITS } from '../../analysis/place-differences';
import type { Definition } from '../../experiment/definition';
import type { PlaceFacts, Provenance } from '../../measurement/run';
import type { Report } from './report';
import { storedBlocks } from '../../measurement/stored-names';

export interface Difference {
  /** `Elasticsearch`, `tasks[0].executor...`. */
  what: string;
  /** One per run, in their order; `–` where it has none. */
  values: string[];
  /**
   * `unfair`: another cluster, generator or load, so no word is said about the figures. `studied`: the index differs, which may
   * be what is being compared. `aside`: does not touch the figures.
   */
  weight: 'unfair' | 'studied' | 'aside';
}

/** What parts of a definition are to a comparison; all else is aside. */
const WEIGHTS: readonly [root: keyof Definition, weight: Difference['weight']][] = [
  ['tasks', 'unfair'],
  ['measure', 'unfair'],
  ['spread', 'unfair'],
  ['request-timeout', 'unfair'],
  ['index', 'studied'],
];
/** Says nothing about what was done. */
const UNTOLD: readonly string[] = ['version', 'index.name'];

/** What differs, the gravest first. */
export function differences(reports: readonly Report[]): Difference[] {
  const found: Difference[] = [];
  const add = (what: string, weight: Difference['weight'], values: string[]): void => {
    if (new Set(values).size > 1) found.push({ what, weight, values });
  };
  for (const { what, weight, read } of PLACE_TRAITS) {
    add(
      what,
      weight,
      reports.map(({ provenance }) => (provenance === null ? 'not known' : readAll(provenance, read))),
    );
  }
  const flat = reports.map(({ definition }) => new Map(leaves(definition, '')));
  const paths = [...new Set(flat.flatMap((leavesOf) => [...leavesOf.keys()]))].filter(
    (path) => !UNTOLD.includes(path),
  );
  for (const path of paths) {
    const root = path.split(/[.[]/)[0];
    const weight = WEIGHTS.find(([name]) => name === root)?.[1] ?? 'aside';
    add(
      path,
      weight,
      flat.map((leavesOf) => leavesOf.get(path) ?? '–'),
    );
  }
  const order: Difference['weight'][] = ['unfair', 'studied', 'aside'];
  return found.sort((a, b) => order.indexOf(a.weight) - order.indexOf(b.weight));
}

/** Of a run in several environments, each that it found. */
const readAll = (provenance: Provenance, read: (place: PlaceFacts) => string): string =>
  [...new Set([storedBlocks(provenance), [provenance]].find(({ length }) => length > 0)!.map(read))].join(
    ', then ',
  );

/** Why two runs may not be compared: what differs unfairly; empty when they may. */
export function unfairness(one: Report, other: Report): string[] {
  if (one.provenance === null || other.provenance === null) return ['provenance not known'];
  return differences([one, other])
    .filter(({ weight }) => weight === 'unfair')
    .map(({ what }) => what);
}

/** Every value in `value` that is no object, by its path; lists of plain values are one value. */
function leaves(value: unknown, path: string): [string, string][] {
  if (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null)) {
    return value.flatMap((item, at) => leaves(item, `${path}[${at}]`));
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([key, inner]) =>
      leaves(inner, path === '' ? key : `${path}.${key}`),
    );
  }
  if (value === undefined) return [];
  return [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
}
