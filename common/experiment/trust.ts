/** How far a result can be trusted, in one of three levels, with the reasons. Every page, list, report and alert shows the same level. */

/**
 * - `high`: no reason to mistrust the result is known.
 * - `limited`: read the reasons before you use the result.
 * - `none`: the result does not say anything about the cluster.
 */
export type TrustLevel = 'high' | 'limited' | 'none';

/** The levels, from the best to the worst. */
export const TRUST_LEVELS = ['high', 'limited', 'none'] as const satisfies readonly TrustLevel[];

/** One sentence for each cause, however many trials it affects. */
export interface TrustReason {
  /** Identifier of the cause, such as `other-work` or `generator-limited`. It is the same in every version of Dyno. */
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
