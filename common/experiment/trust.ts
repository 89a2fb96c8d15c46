/**
 * How reliable a result is (its *trust*), as one of three levels with reasons. All pages, lists, reports and alerts show the same level.
 */

/**
 * Levels of trust in a result.
 * - `high`: Dyno knows no reason why the result may be wrong.
 * - `limited`: the result may be wrong. Read the reasons before you use it.
 * - `none`: the result says nothing about the cluster.
 */
export type TrustLevel = 'high' | 'limited' | 'none';

/** The levels, from the best to the worst. */
export const TRUST_LEVELS = ['high', 'limited', 'none'] as const satisfies readonly TrustLevel[];

/** A reason why the trust in a result is not high. Each cause has only one reason, even if it affects several trials. */
export interface TrustReason {
  /** Name of the cause, such as `other-work` or `generator-limited`. Names are the same in all versions of Dyno. */
  cause: string;
  text: string;
}

export interface Trust {
  level: TrustLevel;
  /** One line, without a full stop: `Trust: limited. Other work used up to 50% of this machine in 5 of 6 trials`. */
  line: string;
  /** Reasons for the level, the most serious first; empty if the level is `high`. */
  reasons: TrustReason[];
}
