/** Determines how reliable a result is (its *trust*: high, limited or none) from all warnings about the result. */
import { TRUST_LEVELS, type Trust, type TrustLevel, type TrustReason } from '../experiment/trust';

export { TRUST_LEVELS, type Trust, type TrustLevel, type TrustReason };

/** Some problems make a trial invalid. If they affect at least this share of the trials, the whole result is invalid. */
export const INVALID_FROM = 0.5;

/** Returns the worse of two levels. */
export const worseTrust = (one: TrustLevel, other: TrustLevel): TrustLevel =>
  TRUST_LEVELS.indexOf(one) > TRUST_LEVELS.indexOf(other) ? one : other;

/**
 * A warning about a result. Its level is the highest trust that the result can still have. A `note` only informs and does not lower the
 * trust.
 */
export interface Caution extends TrustReason {
  level: Exclude<TrustLevel, 'high'> | 'note';
  /** The first sentence of `text` without a full stop, for display on one line. */
  brief: string;
}

/** Returns how reliable a result is, given all warnings about it. Warnings with the same cause are merged into one reason. */
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
