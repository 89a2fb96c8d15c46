/** Whether machines that generated a load together did so as one: whether they began together and did as much as each other. */
import type { SeatSummary, TrialDocument } from '../measurement/trial';
import { formatMs } from '../units/format';

/** Machines that began further apart than this loaded the target unevenly at first, ms. */
export const APART_MS = 20;
/** A machine whose part differs by more from the mean of all was nearer to the target, or slower, than the others. */
export const UNEVEN_SHARE = 0.1;

/** What a seat is judged by. */
type Judged = Pick<SeatSummary, 'attempted' | 'lateMs' | 'clockErrorMs'>;

export interface SeatJudgement<T extends Judged = SeatSummary> {
  summary: T;
  /** How much later than the common start it may have begun, ms: what it noticed, and what it cannot know of the clock. */
  apartMs: number;
  /** Its part of what all sent, as a share of an equal part: 1 is equal. */
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

/** What a reader must know of the machines that generated a trial's load; '' for nothing. */
export function saySeats(generator: TrialDocument['generator']): string {
  const judged = judgeSeats(generator?.seats ?? []);
  return [
    ...judged.filter(isApart).map((one) => `${nameOf(one)} may have begun ${formatMs(one.apartMs)} late`),
    ...judged.filter(isUneven).map((one) => `${nameOf(one)} sent ${sayPart(one.part)}`),
  ].join(', ');
}

/** What a seat did over several trials, whoever had it. */
export interface SeatOverTrials {
  /** From 0. */
  seat: number;
  /** Machines that had it, in the order of the trials. */
  hosts: string[];
  /** Processes likewise. */
  pids: number[];
  labels: string[];
  /** Load threads, in its last trial. */
  workers: number;
  /** Requests, or documents, of a trial: the mean. */
  attempted: number;
  /** The least and the greatest of its parts, as shares of an equal one. */
  parts: { least: number; most: number };
  /** Of any trial: its part was none that a trial should have. */
  uneven: boolean;
  /** How late it may have begun at most, ms. */
  apartMs: number;
  apart: boolean;
  /** CPU time of its load threads, mean, ms in a second. */
  cpuMs: number;
  /** Of its busiest load thread, in [0, 1]: the highest. */
  utilisation: number;
  /** As in {@link SeatSummary}, the mean and the worst; null where it did not tell. */
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

/** The seats of several trials side by side, by their numbers; `trials`: of each its seats. Empty where one machine generated the load. */
export function seatsOver(trials: readonly (readonly SeatSummary[])[]): SeatOverTrials[] {
  const bySeat = new Map<number, SeatJudgement[]>();
  for (const one of trials.flatMap((seats) => judgeSeats(seats))) {
    const { seat } = one.summary;
    bySeat.set(seat, [...(bySeat.get(seat) ?? []), one]);
  }
  return [...bySeat].sort(([a], [b]) => a - b).map(([, own]) => overTrials(own));
}

/** Which of them a reader must doubt, and why; '' for none. */
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

/** Of the completed trials, those whose load several machines generated. */
export const seatsOfTrials = (
  trials: readonly Pick<TrialDocument, 'trial' | 'generator'>[],
): readonly SeatSummary[][] =>
  trials.flatMap(({ trial, generator }) =>
    trial.state === 'completed' && generator?.seats !== undefined ? [generator.seats] : [],
  );
