/** Checks whether the machines that generated a load together began at the same time and sent equal parts of it. */
import type { SeatSummary, TrialDocument } from '../measurement/trial';
import { formatMs } from '../units/format';

/** Difference between the starts of two machines, in ms, above which a warning says that the load was uneven at first. */
export const APART_MS = 20;
/**
 * Relative difference between a machine's number of requests and an equal part, above which the parts count as uneven. Possible causes: one
 * machine is closer to the target than the others, or slower.
 */
export const UNEVEN_SHARE = 0.1;

/** The values of one machine (*seat*) that are checked. Each of these machines generates a part of the load. */
type Judged = Pick<SeatSummary, 'attempted' | 'lateMs' | 'clockErrorMs'>;

export interface SeatJudgement<T extends Judged = SeatSummary> {
  summary: T;
  /**
   * Maximum delay of this machine's start after the common start, in ms: the measured delay plus the uncertainty of the machine's clock.
   */
  apartMs: number;
  /** Number of requests that this machine sent, relative to an equal part: 1 means exactly an equal part. */
  part: number;
}

export function judgeSeats<T extends Judged>(seats: readonly T[]): SeatJudgement<T>[] {
  const all = seats.reduce((sum, { attempted }) => sum + attempted, 0);
  return seats.map((summary) => ({
    summary,
    apartMs: summary.lateMs + (summary.clockErrorMs ?? 0),
    part: all === 0 ? 1 : (summary.attempted * seats.length) / all,
  }));
}

export const isApart = ({ apartMs }: Pick<SeatJudgement, 'apartMs'>): boolean => apartMs > APART_MS;
export const isUneven = ({ part }: Pick<SeatJudgement, 'part'>): boolean => Math.abs(part - 1) > UNEVEN_SHARE;

export const sayPart = (part: number): string => `${Math.round(part * 100)}% of an equal part`;

const nameOf = ({ summary: { seat, host } }: SeatJudgement): string => `seat ${seat + 1} (${host})`;

/** Returns a warning about the machines that generated a trial's load. '' if there is no reason for a warning. */
export function saySeats(generator: TrialDocument['generator']): string {
  const judged = judgeSeats(generator?.seats ?? []);
  return [
    ...judged.filter(isApart).map((one) => `${nameOf(one)} may have begun ${formatMs(one.apartMs)} late`),
    ...judged.filter(isUneven).map((one) => `${nameOf(one)} sent ${sayPart(one.part)}`),
  ].join(', ');
}

/**
 * Metrics of one part of the load over several trials. In each trial, a process on one machine generates the part. The machine may differ
 * between trials.
 */
export interface SeatOverTrials {
  /** Number of the part of the load, from 0. */
  seat: number;
  /** Host names of the machines that generated this part, in the order of the trials. */
  hosts: string[];
  /** Ids of the processes that generated this part, in the order of the trials. */
  pids: number[];
  labels: string[];
  /** Number of load threads for this part in the last trial. */
  workers: number;
  /** Mean number of requests (for bulk requests: documents) per trial. */
  attempted: number;
  /** Smallest and largest size that this part had in a trial, relative to an equal part: 1 means exactly an equal part. */
  parts: { least: number; most: number };
  /** Whether the size of this part differed too much from an equal part in any trial. */
  uneven: boolean;
  /** Maximum possible delay of the machine's start after the common start, in ms. */
  apartMs: number;
  apart: boolean;
  /** Mean CPU time of the load threads, in ms per second. */
  cpuMs: number;
  /** Highest utilisation of the busiest load thread, in [0, 1]. */
  utilisation: number;
  /** Mean difference between the machine's clock and the clock of the process that executes the run, in ms. Null if unknown. */
  clockOffsetMs: number | null;
  /** Maximum possible error of `clockOffsetMs`, in ms. Null if unknown. */
  clockErrorMs: number | null;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const known = <T>(values: readonly (T | null)[]): T[] => values.filter((value) => value !== null);

function overTrials(own: readonly SeatJudgement[]): SeatOverTrials {
  const summaries = own.map(({ summary }) => summary);
  const parts = own.map(({ part }) => part);
  const offsets = known(summaries.map(({ clockOffsetMs }) => clockOffsetMs));
  const errors = known(summaries.map(({ clockErrorMs }) => clockErrorMs));
  const last = summaries.at(-1)!;
  return {
    seat: last.seat,
    hosts: [...new Set(summaries.map(({ host }) => host))],
    pids: [...new Set(summaries.map(({ pid }) => pid))],
    labels: [...new Set(summaries.flatMap(({ labels = [] }) => labels))],
    workers: last.workers,
    attempted: mean(summaries.map(({ attempted }) => attempted)),
    parts: { least: Math.min(...parts), most: Math.max(...parts) },
    uneven: own.some(isUneven),
    apartMs: Math.max(...own.map(({ apartMs }) => apartMs)),
    apart: own.some(isApart),
    cpuMs: mean(summaries.map(({ cpuMs }) => cpuMs)),
    utilisation: Math.max(...summaries.map(({ utilisation }) => utilisation)),
    clockOffsetMs: offsets.length === 0 ? null : mean(offsets),
    clockErrorMs: errors.length === 0 ? null : Math.max(...errors),
  };
}

/**
 * Summarises each part of the load over several trials, ordered by its number. `trials`: for each trial, the machines that generated its
 * load. Returns an empty list if a single machine generated the load.
 */
export function seatsOver(trials: readonly (readonly SeatSummary[])[]): SeatOverTrials[] {
  const bySeat = new Map<number, SeatJudgement[]>();
  for (const one of trials.flatMap((seats) => judgeSeats(seats))) {
    const { seat } = one.summary;
    bySeat.set(seat, [...(bySeat.get(seat) ?? []), one]);
  }
  return [...bySeat].sort(([a], [b]) => a - b).map(([, own]) => overTrials(own));
}

/** Returns a warning about machines that began late or generated an uneven part of the load. '' if there is no reason for a warning. */
export const saySeatsOver = (seats: readonly SeatOverTrials[]): string =>
  seats
    .flatMap(({ seat, hosts, apart, apartMs, uneven, parts }) => {
      const name = `seat ${seat + 1} (${hosts.join(', ')})`;
      const worst = Math.abs(parts.least - 1) > Math.abs(parts.most - 1) ? parts.least : parts.most;
      return [
        ...(apart ? [`${name} may have begun ${formatMs(apartMs)} late`] : []),
        ...(uneven ? [`${name} sent ${sayPart(worst)}`] : []),
      ];
    })
    .join(', ');

/** Returns, for each completed trial whose load was generated by several machines, the results of these machines. */
export const seatsOfTrials = (
  trials: readonly Pick<TrialDocument, 'trial' | 'generator'>[],
): readonly SeatSummary[][] =>
  trials.flatMap(({ trial, generator }) =>
    trial.state === 'completed' && generator?.seats !== undefined ? [generator.seats] : [],
  );
