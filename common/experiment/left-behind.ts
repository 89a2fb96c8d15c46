/** Lists what a run has left on its target, because its process died: indices, pipelines and changed settings of the cluster. */
import { stringifyPlain } from '../json/exact';
import { INACTIVE_STATES, type RunDocument } from './run';

export interface LeftBehind {
  /** UUID of the cluster; '' if unknown. */
  cluster: string;
  /** Names of the indices, in the order of creation. */
  indices: string[];
  pipelines: string[];
  /** Changed settings of the cluster by flat name, with their values before the run. The value is null for a setting that had none. */
  settings: { name: string; was: string | null }[];
}

const shown = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === 'string' ? value : stringifyPlain(value);

/**
 * Returns what a run has left on its target. Null if it has left nothing, if a process may still execute the run, or if Dyno started the
 * cluster only for the run. `isDead`: whether the process is known to have ended; the state of the run may not show this yet.
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

/** Returns one phrase for each index, pipeline and setting: `the index dyno-trial-1`, `the cluster setting a.b, which was 10mb`. */
export const leftSentences = ({ indices, pipelines, settings }: LeftBehind): string[] => [
  ...indices.map((name) => `the index ${name}`),
  ...pipelines.map((name) => `the ingest pipeline ${name}`),
  ...settings.map(({ name, was }) => `the cluster setting ${name}, which was ${was ?? 'not set'}`),
];
