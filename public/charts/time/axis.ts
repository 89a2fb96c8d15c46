/** The time axis that all charts of a page share, and the phases marked on it. */
import { createContext, useContext } from 'react';

/** A phase of a trial. Times are in ms since the epoch. */
export interface Phase {
  trial: string;
  order: number;
  label: string;
  /** Levels of the trial's factors without the names of the factors, such as `5s`. */
  level: string;
  phase: 'prepare' | 'warm-up' | 'measure' | 'drain';
  from: number;
  to: number;
}

export interface TimeAxis {
  /** Start of the axis, in ms since the epoch. */
  from: number;
  to: number;
  bucketMs: number;
  phases: readonly Phase[];
  /** Whether the run has ended. Legends then show the mean of the measured phases instead of the last value. */
  hasEnded: boolean;
  /** Called when the user selects a time range, in ms since the epoch. */
  onZoom: (from: number, to: number) => void;
}

const Context = createContext<TimeAxis | null>(null);

export const TimeAxisProvider = Context.Provider;

export function useTimeAxis(): TimeAxis {
  const axis = useContext(Context);
  if (axis === null) throw new Error('outside a time axis');
  return axis;
}

/**
 * Width of the vertical axis, in px. It is equal in all charts, so that the same time is at the same x position in charts above each other.
 */
export const AXIS_WIDTH = 76;
/** Margin to the right of the plot, in px. Half of the last time label extends into this margin. */
export const RIGHT_MARGIN = 16;

/**
 * Maximum number of visible trials for which the chart draws lines at the start and end of the measured phase. With more trials, only the
 * shaded bands are drawn.
 */
const MOST_WITH_LINES = 12;

/** Returns the phase of a trial at a time. Undefined if no trial was running then. */
export const phaseAt = (phases: readonly Phase[], at: number): Phase | undefined =>
  phases.findLast(({ from, to }) => from <= at && at <= to);

/** Returns the phases that overlap a time range. */
export const phasesWithin = (phases: readonly Phase[], from: number, to: number): Phase[] =>
  phases.filter((phase) => phase.to >= from && phase.from <= to);

export interface Boundary {
  at: number;
  phase: Phase;
  /** True if the measured phase of a trial begins at this time, false if it ends. */
  begins: boolean;
}

/**
 * Returns the times between `from` and `to` at which a measured phase begins or ends. Empty if more than {@link MOST_WITH_LINES} trials are
 * visible.
 */
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

/** Returns the start times of the trials in ms since the epoch, in ascending order. */
export function trialStarts(phases: readonly Phase[]): number[] {
  const starts = new Map<string, number>();
  for (const { trial, from } of phases) starts.set(trial, Math.min(from, starts.get(trial) ?? Infinity));
  return [...starts.values()].sort((a, b) => a - b);
}
