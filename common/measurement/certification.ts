/** That the load generator was held against targets of known behaviour: when, on which machine, and what came out. */
import { formatMinute } from '../units/format';
import type { PercentileKey } from './histogram';
import type { GeneratorMachine } from './instrument';

/** `busy`: others had so much of the machine that nothing can be said of the instrument. */
export type CertificationAnswer = 'certified' | 'not-certified' | 'busy';

export interface Certification {
  answer: CertificationAnswer;
  /** Why, or what was certified: a clause. */
  why: string;
  /** ISO 8601, UTC. */
  at: string;
  /** Version of Dyno. */
  dyno: string;
  machine: GeneratorMachine;
}

/**
 * `right`: within 1% or 0.3 ms of the truth. `stated`: off by no more than what the report says may be the instrument's own.
 * `doubted`: the report doubts it.
 */
export type FigureVerdict = 'right' | 'stated' | 'doubted' | 'wrong';

/** Behind a figure; what is right has none. */
export const FIGURE_MARKS: Readonly<Record<Exclude<FigureVerdict, 'right'>, { mark: string; text: string }>> =
  {
    stated: { mark: '~', text: 'off by no more than Dyno says may be its own' },
    doubted: { mark: '?', text: 'doubted by Dyno itself' },
    wrong: { mark: '!', text: 'wrong' },
  };

export const markOf = (verdict: FigureVerdict): string =>
  verdict === 'right' ? '' : FIGURE_MARKS[verdict].mark;

export interface CertifiedFigure {
  of: 'service' | 'latency';
  key: PercentileKey | 'max';
  /** ms, as the report says it. */
  said: number;
  /** ms, by the target's own log. */
  truth: number;
  /** What the report says that may be the instrument's own, ms; null where it knows of nothing that is not. */
  ownMs: number | null;
  /** It says that this is more than a tenth. */
  doubted: boolean;
  verdict: FigureVerdict;
}

/** What became of the requests, as one of the two says. */
export interface RequestCounts {
  requests: number;
  accepted: number;
  rejected: number;
}

/** How a target behaves, and how often it is asked. */
export interface KnownBehaviour {
  /** Its name. */
  behaviour: string;
  /** In words. */
  text: string;
  perSecond: number;
}

/** One behaviour as it was measured, beside the truth. */
export interface CertifiedBehaviour extends KnownBehaviour {
  /** Of accepted and rejected requests. */
  countsAreExact: boolean;
  said: RequestCounts;
  truth: RequestCounts;
  /** In the order in which they are shown. */
  figures: CertifiedFigure[];
}

const ANSWERS: Readonly<Record<CertificationAnswer, string>> = {
  certified: 'certified',
  'not-certified': 'not certified',
  busy: 'neither certified nor refuted',
};

/** `certified on 2026-11-22 21:50 UTC on bench (2 cores) by Dyno 0.1.0: ...`. */
export const sayCertification = ({ answer, why, at, dyno, machine }: Certification): string =>
  `${ANSWERS[answer]} on ${formatMinute(at)} on ${machine.host} (${machine.cores} ${machine.cores === 1 ? 'core' : 'cores'}) by Dyno ${dyno}: ${why}`;
