/** Certification: a test of a machine's load generator against targets of known behaviour, and its result. */
import { formatMinute } from '../units/format';
import type { PercentileKey } from './histogram';
import type { GeneratorMachine } from './instrument';

/** Result of a certification. `busy`: other processes used so much of the machine that the test proves nothing about the load generator. */
export type CertificationAnswer = 'certified' | 'not-certified' | 'busy';

export interface Certification {
  answer: CertificationAnswer;
  /**
   * Reason for the result, as a part of a sentence. For a certified load generator, this text contains the number of right values. It also
   * states that all other values were flagged or within the reported error.
   */
  why: string;
  /** Time of the certification, ISO 8601, UTC. */
  at: string;
  /** Version of Dyno that was certified. */
  dyno: string;
  machine: GeneratorMachine;
}

/**
 * Result for one value of Dyno's report, compared with the true value from the test target's log.
 * - `right`: the difference is at most 1% or at most 0.3 ms.
 * - `stated`: the difference is larger, but not larger than the delay that Dyno itself may have added according to the report.
 * - `doubted`: the difference is larger, but the report marks the value as unreliable.
 * - `wrong`: anything else.
 */
export type FigureVerdict = 'right' | 'stated' | 'doubted' | 'wrong';

/** Marks printed after a value. A right value has no mark. */
export const FIGURE_MARKS: Readonly<Record<Exclude<FigureVerdict, 'right'>, { mark: string; text: string }>> =
  {
    stated: { mark: '~', text: 'the error is within what Dyno states as its own' },
    doubted: { mark: '?', text: 'flagged by Dyno itself' },
    wrong: { mark: '!', text: 'wrong' },
  };

export const markOf = (verdict: FigureVerdict): string =>
  verdict === 'right' ? '' : FIGURE_MARKS[verdict].mark;

export interface CertifiedFigure {
  of: 'service' | 'latency';
  key: PercentileKey | 'max';
  /** Value according to Dyno's report, in ms. */
  said: number;
  /** True value, according to the log of the test target, in ms. */
  truth: number;
  /** Time that Dyno may have added to the value according to the report, in ms; null if unknown. */
  ownMs: number | null;
  /** Whether the report warns that Dyno may have added more than 10% of the value. */
  doubted: boolean;
  verdict: FigureVerdict;
}

/** Counts of requests, according to the report or to the target's log. */
export interface RequestCounts {
  requests: number;
  accepted: number;
  rejected: number;
}

/** Behaviour of a test target, and the rate of requests that it receives. */
export interface KnownBehaviour {
  /** Name of the behaviour. */
  behaviour: string;
  /** Description of the behaviour. */
  text: string;
  perSecond: number;
}

/** Measured and true values of one behaviour. */
export interface CertifiedBehaviour extends KnownBehaviour {
  /** True if the report contains the same counts of accepted and rejected requests as the test target's log. */
  countsAreExact: boolean;
  said: RequestCounts;
  truth: RequestCounts;
  /** The values with their verdicts, in display order. */
  figures: CertifiedFigure[];
}

const ANSWERS: Readonly<Record<CertificationAnswer, string>> = {
  certified: 'certified',
  'not-certified': 'not certified',
  busy: 'neither certified nor refuted',
};

/** Returns a sentence such as `certified on 2026-11-22 21:50 UTC on bench (2 cores) by Dyno 0.1.0: ...`. */
export const sayCertification = ({ answer, why, at, dyno, machine }: Certification): string =>
  `${ANSWERS[answer]} on ${formatMinute(at)} on ${machine.host} (${machine.cores} ${machine.cores === 1 ? 'core' : 'cores'}) by Dyno ${dyno}: ${why}`;
