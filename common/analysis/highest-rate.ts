/** Describes the result of a search for the highest rate. */
import type { RateUnit } from '../tasks/registry';
import type { HighestRate, RateAnswer, RateEnd, RateProgress, RateStop } from '../measurement/highest-rate';
import { formatDuration, formatNumber } from '../units/format';

/** Text for each way in which a search ends. */
export const END_WORDS: Readonly<Record<RateEnd, string>> = {
  found: 'bracketed and confirmed',
  wide: 'bracketed and confirmed, but wider than requested',
  undecided: 'whether a higher rate is sustained is undecided',
  max: 'the maximum rate was reached',
  time: 'its time ran out',
  'nothing-held': 'no rate was held',
  'not-confirmed': 'no hold succeeded',
  'load-ended': 'the load ended before its source did',
};

/** Text for each reason why a rate was not sustained. */
export const STOP_WORDS: Readonly<Record<RateStop, string>> = {
  limit: 'limit broken',
  behind: 'rate not reached',
  clients: 'too few clients',
  generator: 'load generator',
  samples: 'too few answers',
  undecided: 'undecided',
};

const rate = (perSecond: number): string => `${formatNumber(perSecond)} requests/s`;

/** Formats a rate in requests/s. For bulk requests, adds the rate in documents/s. */
const withUnit = (perSecond: number, accepted: number | null, unit: RateUnit): string =>
  unit !== 'docs/s' || accepted === null
    ? rate(perSecond)
    : `${rate(perSecond)} (${formatNumber(accepted)} ${unit})`;

/**
 * Texts for two ways in which a search ends with a wider bracket than requested. The bracket is the distance between the highest rate that
 * was sustained and the lowest that was not.
 */
const WIDE_WORDS: Readonly<Partial<Record<RateEnd, string>>> = {
  time: ' The bracket is wide, or its upper end was not held, because the time ran out.',
  wide: ' No rate in between could be decided. Longer holds can distinguish rates that are closer to each other.',
};

/** Describes the result of a search in up to three sentences. `unit`: unit of the task's throughput. */
export function sayAnswer({ steps, answer }: HighestRate, unit: RateUnit): string {
  const { held, broken, confirmed, heldAccepted, brokenAccepted, end, figuresOf } = answer;
  const judgedMs = steps.find(({ number }) => number === figuresOf)?.judgedMs ?? answer.holdMs;
  if (held === null) {
    return broken === null
      ? `Nothing was found: ${END_WORDS[end]}.`
      : `No rate was held: the highest that is sustained is below ${rate(broken)}. ${stopped(answer)}`;
  }
  const sustained = withUnit(held, heldAccepted, unit);
  const first = confirmed
    ? `${sustained} were sustained for ${formatDuration(judgedMs)}`
    : `${sustained} were held in a step, but not confirmed (${END_WORDS[end]})`;
  if (broken === null && end === 'undecided') return `${first}; ${END_WORDS[end]}.`;
  if (broken === null) return `${first}; nothing higher was refused: ${END_WORDS[end]}.`;
  const early = (confirmed && WIDE_WORDS[end]) || '';
  return `${first}, ${withUnit(broken, brokenAccepted, unit)} were not.${early} ${stopped(answer)}`;
}

function stopped({ stop, why, broken }: RateAnswer): string {
  if (stop === null || broken === null) return '';
  const at = `At ${rate(broken)}`;
  switch (stop) {
    case 'limit':
      return `${at} a limit was broken: ${why}.`;
    case 'behind':
      return `${at} the target fell behind: ${why}.`;
    case 'clients':
      return `${at} the clients (max-clients) were too few: ${why}. That is not a limit of the target.`;
    case 'generator':
      return `${at} the load generator was the limit: ${why}. That is not a limit of the target.`;
    case 'samples':
    case 'undecided':
      return `${at} it could not be judged: ${why}.`;
  }
}

/**
 * Describes the progress of a search: `hold at 120 requests/s, step 14`. `phase`: name of the current phase; a *hold* confirms a rate.
 * `repeats`: whether this rate is tested again.
 */
export const sayProgress = ({ step, phase, perSecond, repeats }: RateProgress): string =>
  `${phase}${repeats ? ' again' : ''} at ${rate(perSecond)}, step ${step}`;

/** Formats the highest rate that the target sustained and the lowest that it did not sustain, in requests/s: `120 to 126`. */
export function sayBracket({ held, broken }: Pick<RateAnswer, 'held' | 'broken'>): string {
  if (held === null) return broken === null ? '–' : `below ${formatNumber(broken)}`;
  return broken === null
    ? `${formatNumber(held)} or more`
    : `${formatNumber(held)} to ${formatNumber(broken)}`;
}
