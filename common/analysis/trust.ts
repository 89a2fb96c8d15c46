/** How far a result can be trusted, in one of three levels, with the reasons. Every page, list, report and alert shows the same level. */

/**
 * - `high`: no reason to mistrust the result is known.
 * - `limited`: read the reasons before you use the result.
 * - `none`: the result does not say anything about the cluster.
 */
export type TrustLevel = 'high' | 'limited' | 'none';

/** From the best to the worst. */
export const TRUST_LEVELS = ['high', 'limited', 'none'] as const satisfies readonly TrustLevel[];

/** One sentence for each cause, however many trials it affects. */
export interface TrustReason {
  /** Identifies the cause; the same in every version of Dyno: `other-work`, `generator-limited`. */
  cause: string;
  text: string;
}

export interface Trust {
  level: TrustLevel;
  /** One line: `Trust: limited. Other work used up to 50% of this machine in 5 of 6 trials`. Without a full stop. */
  line: string;
  /** Reasons for the level, the gravest first; empty if the level is `high`. */
  reasons: TrustReason[];
}

/** A cause that makes a trial invalid makes the whole result invalid from this share of the trials on. */
export const INVALID_FROM = 0.5;

/** Returns the worse of two levels. */
export const worseTrust = (one: TrustLevel, other: TrustLevel): TrustLevel =>
  TRUST_LEVELS.indexOf(one) > TRUST_LEVELS.indexOf(other) ? one : other;

/** Something that the reader of a result must know. `note`: it does not lower the trust. */
export interface Caution extends TrustReason {
  level: Exclude<TrustLevel, 'high'> | 'note';
  /** The first sentence of `text`, for one line; without a full stop. */
  brief: string;
}

/** Returns the trust that follows from all cautions about a result. Several of one cause are joined into one reason. */
export function trustFrom(cautions: readonly Caution[]): Trust {
  const counted = cautions.filter(({ level }) => level !== 'note');
  const gravest = [
    ...counted.filter(({ level }) => level === 'none'),
    ...counted.filter(({ level }) => level === 'limited'),
  ];
  const reasons = [...new Set(gravest.map(({ cause }) => cause))].map((cause) => ({
    cause,
    text: [...new Set(gravest.filter((own) => own.cause === cause).map(({ text }) => text))].join(' '),
  }));
  const [first] = gravest;
  if (first === undefined) return HIGH;
  return {
    level: first.level as TrustLevel,
    line: trustLine(first.level as TrustLevel, first.brief),
    reasons,
  };
}

export const trustLine = (level: TrustLevel, reason: string): string => `Trust: ${level}. ${reason}`;

const HIGH: Trust = {
  level: 'high',
  line: trustLine('high', 'All checks of the trials passed'),
  reasons: [],
};
