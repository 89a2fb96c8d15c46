/** The one time axis that the charts of a page share, and what is marked on it. */
import { createContext, useContext } from 'react';

/** A trial's phase; ms since the epoch. */
export interface Phase {
  trial: string;
  order: number;
  label: string;
  /** The levels of its cell alone: `5s`. */
  level: string;
  phase: 'prepare' | 'warm-up' | 'measure' | 'drain';
  from: number;
  to: number;
}

export interface TimeAxis {
  /** ms since the epoch. */
  from: number;
  to: number;
  bucketMs: number;
  phases: readonly Phase[];
  /** Then lines are summed up by what they were while measured, not by their last value. */
  hasEnded: boolean;
  /** The user chose this stretch, ms since the epoch. */
  onZoom: (from: number, to: number) => void;
}

const Context = createContext<TimeAxis | null>(null);

export const TimeAxisProvider = Context.Provider;

export function useTimeAxis(): TimeAxis {
  const axis = useContext(Context);
  if (axis === null) throw new Error('outside a time axis');
  return axis;
}

/** Space for the labels of the vertical axis, the same in all charts so that their times lie above each other, pixels. */
export const AXIS_WIDTH = 76;
/** Right of the plot, for half of the last label of the time axis. */
export const RIGHT_MARGIN = 16;

/** More trials in sight than these have no lines at their boundaries: the bands tell enough. */
const MOST_WITH_LINES = 12;

/** The phase at a time; undefined between trials. */
export const phaseAt = (phases: readonly Phase[], at: number): Phase | undefined =>
  phases.findLast(({ from, to }) => from <= at && at <= to);

/** The phases that can be seen between two times. */
export const phasesWithin = (phases: readonly Phase[], from: number, to: number): Phase[] =>
  phases.filter((phase) => phase.to >= from && phase.from <= to);

export interface Boundary {
  at: number;
  phase: Phase;
  /** Its beginning or its end. */
  begins: boolean;
}

/** Where the measured phase of each trial begins and ends; none where there are too many to be told apart. */
export function boundaries(phases: readonly Phase[], from: number, to: number): Boundary[] {
  const measured = phasesWithin(phases, from, to).filter(({ phase }) => phase === 'measure');
  if (measured.length > MOST_WITH_LINES) return [];
  return measured
    .flatMap((phase) => [
      { at: phase.from, phase, begins: true },
      { at: phase.to, phase, begins: false },
    ])
    .filter(({ at }) => at >= from && at <= to);
}

/** Where trials begin, ms since the epoch, rising. */
export function trialStarts(phases: readonly Phase[]): number[] {
  const starts = new Map<string, number>();
  for (const { trial, from } of phases) starts.set(trial, Math.min(from, starts.get(trial) ?? Infinity));
  return [...starts.values()].sort((a, b) => a - b);
}
