/** Why a claim was answered as it was, with its figures. */
import { showLevel } from '../experiment/cells';
import type { Claim } from '../measurement/condition';
import type { Definition } from '../experiment/definition';
import type { ClaimAnswer } from '../experiment/run';
import type { Cell } from '../measurement/trial';
import type { RateUnit } from '../tasks/registry';
import { formatPercent } from '../units/format';
import type { Series } from './claim-series';
import type { Comparison } from './comparison';
import { mean } from './interval';
import { trialsSentence } from './trials-needed';
import { formatChange, formatChanges, formatMetric, listed, metricName } from './wording';

/** What was found in one series. */
export interface Finding {
  series: Series;
  /** Its last level with its first. */
  comparison: Comparison;
  answer: ClaimAnswer;
  /** The step that goes the other way, in words; '' for none. */
  turn: string;
  /** Why one of the two levels has trials of which none has the figure; '' for nothing. */
  lacks: string;
}

interface Context {
  definition: Definition;
  claim: Claim;
  /** Of the throughput of the claim's task. */
  unit: RateUnit;
  /** Short name of the factor. */
  name: string;
  /** The metric's values by cell. */
  values: ReadonlyMap<number, readonly number[]>;
  /** Where they come from; '' for what the run itself measures. */
  source: string;
}

/** Why it is undecided, as far as figures and turn do not say it; '' for nothing. */
function reasonOf(
  { relation, atLeast, atMost }: Claim,
  { comparison, answer, turn, lacks }: Finding,
): string {
  if (lacks !== '') return lacks;
  // Whether there is any difference is not what is asked.
  if (atMost !== null && answer !== 'undecided') return '';
  const promised = atLeast ?? atMost;
  const isSaid = atMost === null ? comparison.reason !== '' : comparison.adjusted === null;
  if (isSaid || answer !== 'undecided' || promised === null || turn !== '') return comparison.reason;
  const size = relation === 'rises' ? 1 + promised : 1 - promised;
  const claimed = formatChange(size);
  const { ratio, spread, family } = comparison;
  const needed =
    ratio === null || spread === null || ratio <= 0 || size <= 0
      ? ''
      : trialsSentence(
          spread,
          Math.exp(Math.abs(Math.log(ratio / size))) - 1,
          family,
          `whether ${formatChange(ratio)} is more or less than that`,
        );
  return `the interval includes the claimed ${claimed}${needed === '' ? ', and more trials would narrow it' : `; ${needed}`}`;
}

/** More combinations than this are counted, not told. */
const MOST_TOLD = 3;

/** Without a full stop. Several series are told by those that decided. */
export function whyOf(context: Context, found: readonly Finding[], answer: ClaimAnswer): string {
  const { definition, claim, name, source } = context;
  const metric = `${metricName(claim.metric, definition)}${source === '' ? '' : ` (${source})`}`;
  const { series } = found[0]!;
  const level = (cell: Cell): string => showLevel(cell.levels[claim.factor]);
  const change = `${name} goes from ${level(series.cells[0]!)} to ${level(series.cells.at(-1)!)}`;
  const along = series.along.length === 0 ? '' : `, ${listed(series.along)} changing along with it`;
  const promise =
    claim.atMost !== null
      ? `, a ${claim.relation === 'rises' ? 'rise' : 'fall'} of at most ${formatPercent(claim.atMost)} claimed`
      : claim.atLeast === null
        ? ''
        : `, at least ${formatPercent(claim.atLeast)} claimed`;
  if (found.length === 1) {
    const { comparison, turn } = found[0]!;
    const reason = reasonOf(claim, found[0]!);
    const held = series.held === '' ? '' : ` with ${series.held}`;
    const rest = [turn === '' ? '' : `, ${turn}`, reason === '' ? '' : `: ${reason}`].join('');
    return (
      `${metric} ${movesOf(definition, comparison)} from ${figures(context, found[0]!, true)} ` +
      `as ${change}${held}${along}${promise}${rest}`
    );
  }
  const deciding = found.filter((one) => one.answer === answer);
  const { adjusted } = deciding[0]!.comparison;
  const widened =
    adjusted === null ? '' : `; 95% intervals, widened for ${deciding[0]!.comparison.family} comparisons`;
  const reasons = [...new Set(deciding.map((one) => reasonOf(claim, one)))].filter(Boolean);
  const told = deciding.slice(0, MOST_TOLD).map((one) => {
    const word = one.answer === 'undecided' ? '' : `${movesOf(definition, one.comparison)} `;
    return `with ${one.series.held} ${word}from ${figures(context, one, false)}${one.turn === '' ? '' : `, ${one.turn}`}`;
  });
  const more = deciding.length > MOST_TOLD ? [`and ${deciding.length - MOST_TOLD} more`] : [];
  const share =
    deciding.length === found.length ? `all ${found.length}` : `${deciding.length} of ${found.length}`;
  const rest = reasons.length === 0 ? '' : `; ${reasons.join('; ')}`;
  return `as ${change}${promise}, ${metric} in ${share} combinations: ${[...told, ...more].join('; ')}${widened}${rest}`;
}

const movesOf = ({ margin }: Definition, { word }: Comparison): string =>
  ({
    higher: 'rises',
    lower: 'falls',
    'no difference within the margin': `stays within ${formatPercent(margin)}`,
    undecided: 'goes',
  })[word];

/** `12,300 to 15,100 docs/s (+23%, 95% interval +17% to +29%)`. */
function figures({ claim, unit, values }: Context, { series, comparison }: Finding, alone: boolean): string {
  const figure = (cell: Cell): string => {
    const found = values.get(cell.index)!;
    return formatMetric(claim.metric, found.length === 0 ? null : mean(found), unit);
  };
  const [from, to] = [figure(series.cells[0]!), figure(series.cells.at(-1)!)];
  // The unit once.
  const suffix = ` ${unit}`;
  const start = from.endsWith(suffix) && to.endsWith(suffix) ? from.slice(0, -suffix.length) : from;
  const { ratio, adjusted, family } = comparison;
  if (ratio === null) return `${start} to ${to}`;
  const widened = alone && family > 1 ? `, widened for ${family} comparisons` : '';
  const interval =
    adjusted === null
      ? ', no interval'
      : `, ${alone ? '95% interval ' : ''}${formatChanges(adjusted)}${widened}`;
  return `${start} to ${to} (${formatChange(ratio)}${interval})`;
}
