/** What a run that nobody carries left in its target, and what waits there to be put back. */
import { stringifyPlain } from '../json/exact';
import { INACTIVE_STATES, type RunDocument } from './run';

export interface LeftBehind {
  /** Uuid of the cluster; '' where it is not known. */
  cluster: string;
  /** Names, in the order in which they were made. */
  indices: string[];
  pipelines: string[];
  /** Settings of the cluster, by flat name, as they were before the run changed them; null for one that was not set. */
  settings: { name: string; was: string | null }[];
}

const shown = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === 'string' ? value : stringifyPlain(value);

/**
 * Null where nothing is left, where somebody carries the run, and where it was in a cluster that ended with the run.
 * `isDead`: whoever carried it is gone, though nobody has marked the run yet.
 */
export function leftBehind(
  { run, provenance }: Pick<RunDocument, 'run' | 'provenance'>,
  isDead = false,
): LeftBehind | null {
  const { indices, pipelines = [], replaced } = run;
  if ((!INACTIVE_STATES.includes(run.state) && !isDead) || run.beside !== undefined) return null;
  if (indices.length === 0 && pipelines.length === 0 && replaced === undefined) return null;
  return {
    cluster: replaced?.cluster ?? provenance?.cluster.uuid ?? '',
    indices: [...indices],
    pipelines: [...pipelines],
    settings: Object.entries(replaced?.settings ?? {}).map(([name, was]) => ({ name, was: shown(was) })),
  };
}

/** In words, one thing each: `the index dyno-trial-1`, `the cluster setting a.b, which was 10mb`. */
export const leftSentences = ({ indices, pipelines, settings }: LeftBehind): string[] => [
  ...indices.map((name) => `the index ${name}`),
  ...pipelines.map((name) => `the ingest pipeline ${name}`),
  ...settings.map(({ name, was }) => `the cluster setting ${name}, which was ${was ?? 'not set'}`),
];
