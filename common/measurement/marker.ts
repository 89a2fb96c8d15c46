/**
 * A marker: a document about the trial that is currently running on a target. The results cluster contains one marker for each target.
 * Dynobeat, Dyno's collector process, reads the marker of its target, and adds the trial and the phase to its events.
 */
import type { Phase } from './sample';

/** Name of the index with the markers. The id of a document is the uuid of the target's cluster. */
export const MARKERS = 'dyno-markers';

/**
 * A phase of a trial. It contains the times in `[from, until)`, ISO 8601, by the clock of the process that executes the run. `until` is
 * null while the end is unknown.
 */
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
  /**
   * Clock differences by node id: the node's clock minus the clock of the process that executes the run, in ms. Events have times by the
   * clock of their node. Dynobeat uses the differences to find the phase of such a time.
   */
  clocks: Record<string, number>;
  /** End of the trial; null while it runs. */
  ended: string | null;
}

/**
 * Times of a trial, in ms since the epoch, by the clock of the process that executes the run. A time is null while it is unknown or not
 * reached.
 */
export interface TrialTimes {
  prepare: number;
  warmup: number | null;
  measure: number | null;
  drain: number | null;
  ended: number | null;
}

/** Returns the phases of a trial from its times, without phases of length 0. */
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
