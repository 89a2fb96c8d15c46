/**
 * Which trial runs on a cluster now: one document for each target in the results cluster, read by the collector so that
 * its events carry the trial and phase that they belong to.
 */
import type { Phase } from './sample';

/** Name of the index; a document's id is the uuid of the target's cluster. */
export const MARKERS = 'dyno-markers';

/** `[from, until)`, ISO 8601, by the clock of the run; `until` is null while the end is not known. */
export interface MarkedPhase {
  phase: Phase;
  from: string;
  until: string | null;
}

export interface Marker {
  '@timestamp': string;
  cluster: { uuid: string };
  run: { id: string };
  experiment: { id: string; name: string };
  trial: { id: string };
  cell: { id: string; label: string };
  phases: MarkedPhase[];
  /** By node id: the node's clock minus the run's, ms, so that a phase is found on the node's own times. */
  clocks: Record<string, number>;
  /** When the trial was over; null while it runs. */
  ended: string | null;
}

/** Known times of a trial, ms since the epoch by the clock of the run; null where not known or not reached. */
export interface TrialTimes {
  prepare: number;
  warmup: number | null;
  measure: number | null;
  drain: number | null;
  ended: number | null;
}

/** The phases that follow from a trial's times; those of no length are left out. */
export function markedPhases({ prepare, warmup, measure, drain, ended }: TrialTimes): MarkedPhase[] {
  const iso = (ms: number): string => new Date(ms).toISOString();
  const begins: [Phase, number | null][] = [
    ['prepare', prepare],
    ['warm-up', warmup],
    ['measure', measure],
    ['drain', drain],
  ];
  const known = begins.filter((begin): begin is [Phase, number] => begin[1] !== null);
  return known
    .map(([phase, from], place) => ({ phase, from, until: known[place + 1]?.[1] ?? ended }))
    .filter(({ from, until }) => until === null || until > from)
    .map(({ phase, from, until }) => ({ phase, from: iso(from), until: until === null ? null : iso(until) }));
}
