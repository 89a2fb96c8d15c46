/** Checks whether the machines that generated a load together began at the same time and sent equal parts. */
import type { SeatSummary, TrialDocument } from '../measurement/trial';
import { formatMs } from '../units/format';

/** Difference between the starts of two machines, in ms, above which a warning says that the load was uneven at first. */
export const APART_MS = 20;
/**
 * Difference between a machine's part of the requests and an equal part, as a share, above which parts count as uneven. Possible causes:
 * one machine is closer to the target than the others, or slower.
 */
export const UNEVEN_SHARE = 0.1;

/** The values of a seat that are checked. A seat is a process that generates a part of the load. */
type Judged = Pick<SeatSummary, 'attempted' | 'lateMs' | 'clockErrorMs'>;

export interface SeatJudgement<T extends Judged = SeatSummary> {
  summary: T;
  /** Maximum delay after the common start, in ms: the delay that the seat measured, plus the uncertainty of its clock. */
  apartMs: number;
  /** Part of all requests that the seat sent, relative to an equal part: 1 means equal. */
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

/** Metrics of a seat over several trials. Different machines may have held the seat. */
export interface SeatOverTrials {
  /** Number of the seat, from 0. */
  seat: number;
  /** Host names of the machines that held the seat, in the order of the trials. */
  hosts: string[];
  /** Ids of the processes that held the seat, in the order of the trials. */
  pids: number[];
  labels: string[];
  /** Number of load threads of the seat in its last trial. */
  workers: number;
  /** Mean number of requests or documents per trial. */
  attempted: number;
  /** Smallest and largest part of the seat in a trial, relative to an equal part. */
  parts: { least: number; most: number };
  /** Whether the seat's part was uneven in any trial. */
  uneven: boolean;
  /** Maximum possible delay of the seat's start, in ms. */
  apartMs: number;
  apart: boolean;
  /** Mean CPU time of the seat's load threads, in ms per second. */
  cpuMs: number;
  /** Highest utilisation of the seat's busiest load thread, in [0, 1]. */
  utilisation: number;
  /** Mean offset of the seat's clock and largest error of this offset, in ms, as in {@link SeatSummary}. Null if unknown. */
  clockOffsetMs: number | null;
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
 * Summarises each seat over several trials, in the order of the seats' numbers. `trials`: the seats of each trial. Returns an empty list if
 * one machine generated the load.
 */
export function seatsOver(trials: readonly (readonly SeatSummary[])[]): SeatOverTrials[] {
  const bySeat = new Map<number, SeatJudgement[]>();
  for (const one of trials.flatMap((seats) => judgeSeats(seats))) {
    const { seat } = one.summary;
    bySeat.set(seat, [...(bySeat.get(seat) ?? []), one]);
  }
  return [...bySeat].sort(([a], [b]) => a - b).map(([, own]) => overTrials(own));
}

/** Returns a warning about seats that began late or whose parts were uneven. '' if there is no reason for a warning. */
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

/** Returns the seats of the completed trials whose load was generated by several machines. */
export const seatsOfTrials = (
  trials: readonly Pick<TrialDocument, 'trial' | 'generator'>[],
): readonly SeatSummary[][] =>
  trials.flatMap(({ trial, generator }) =>
    trial.state === 'completed' && generator?.seats !== undefined ? [generator.seats] : [],
  );
