/** Whether machines that generated a load together did so as one: whether they began together and did as much as each other. */
import type { SeatSummary, TrialDocument } from '../measurement/trial';
import { formatMs } from '../units/format';

/** Machines that began further apart than this loaded the target unevenly at first, ms. */
export const APART_MS = 20;
/** A machine whose part differs by more from the mean of all was nearer to the target, or slower, than the others. */
export const UNEVEN_SHARE = 0.1;

export interface SeatJudgement {
  summary: SeatSummary;
  /** How much later than the common start it may have begun, ms: what it noticed, and what it cannot know of the clock. */
  apartMs: number;
  /** Its part of what all sent, as a share of an equal part: 1 is equal. */
  part: number;
}

export function judgeSeats(seats: readonly SeatSummary[]): SeatJudgement[] {
  const all = seats.reduce((sum, { attempted }) => sum + attempted, 0);
  return seats.map((summary) => ({
    summary,
    apartMs: summary.lateMs + (summary.clockErrorMs ?? 0),
    part: all === 0 ? 1 : (summary.attempted * seats.length) / all,
  }));
}

export const isApart = ({ apartMs }: SeatJudgement): boolean => apartMs > APART_MS;
export const isUneven = ({ part }: SeatJudgement): boolean => Math.abs(part - 1) > UNEVEN_SHARE;

const nameOf = ({ summary: { seat, host } }: SeatJudgement): string => `seat ${seat + 1} (${host})`;

/** What a reader must know of the machines that generated a trial's load; '' for nothing. */
export function saySeats(generator: TrialDocument['generator']): string {
  const judged = judgeSeats(generator?.seats ?? []);
  return [
    ...judged.filter(isApart).map((one) => `${nameOf(one)} may have begun ${formatMs(one.apartMs)} late`),
    ...judged
      .filter(isUneven)
      .map((one) => `${nameOf(one)} sent ${Math.round(one.part * 100)}% of an equal part`),
  ].join(', ');
}
