/** Shows what the rule would have reported in the past: a row for each group, and a square for each time window. */
import type { ReactNode } from 'react';
import type { PastJudgement, RulePast } from '../../../common/api/rules';
import { formatPercent } from '../../../common/units/format';
import { i18n } from '../../i18n';
import { LevelTable, type LevelCell, type LevelRow, type Tone } from '../level-table';

const MINUTES: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
const TO_THE_MINUTE = new Intl.DateTimeFormat(undefined, MINUTES);
const TO_THE_SECOND = new Intl.DateTimeFormat(undefined, { ...MINUTES, second: '2-digit' });

/** Returns the end of a time window as text. The text contains seconds if the window is shorter than a minute. */
const timeOf = ({ from, to }: RulePast['windows'][number]): string =>
  (to - from < 60_000 ? TO_THE_SECOND : TO_THE_MINUTE).format(to);

type Level = PastJudgement['level'];

const levelName = (level: Level): string =>
  ({
    ok: i18n.translate('dyno.rule.level.ok', { defaultMessage: 'no alert' }),
    warning: i18n.translate('dyno.rule.level.warning', { defaultMessage: 'warning' }),
    critical: i18n.translate('dyno.rule.level.critical', { defaultMessage: 'critical' }),
    nodata: i18n.translate('dyno.rule.level.nodata', { defaultMessage: 'no data' }),
  })[level];

const TONES: Readonly<Record<Level, Tone>> = {
  ok: 'good',
  warning: 'warning',
  critical: 'bad',
  nodata: 'quiet',
};

/**
 * Returns the rejection rate as text, such as `2%`. `–` means that no documents or requests were sent. A rate in brackets means that too
 * few were sent to judge it.
 */
function figureOf({ rate, ground }: PastJudgement): string {
  if (rate === null) return '–';
  return ground === 'rate' ? formatPercent(rate) : `(${formatPercent(rate)})`;
}

/** Returns the rows, the worst group first. */
export function rowsOf({ windows }: RulePast): LevelRow[] {
  const names = new Map(
    windows.flatMap(({ judgements }) => judgements.map(({ group, name }) => [group, name] as const)),
  );
  const highest = (judgements: readonly (PastJudgement | undefined)[]): number =>
    Math.max(...judgements.map((judgement) => judgement?.rate ?? 0));
  return [...names]
    .map(([id, name]) => ({
      id,
      name,
      judgements: windows.map(({ judgements }) => judgements.find(({ group }) => group === id)),
    }))
    .sort((a, b) => highest(b.judgements) - highest(a.judgements))
    .map(({ id, name, judgements }) => ({ id, name, cells: judgements.map(cellOf) }));
}

const cellOf = (judgement: PastJudgement | undefined): LevelCell | undefined =>
  judgement && {
    tone: TONES[judgement.level],
    text: figureOf(judgement),
    level: levelName(judgement.level),
    reason: judgement.reason,
  };

export const PastTable = ({ past }: { past: RulePast }): ReactNode => (
  <LevelTable
    label={i18n.translate('dyno.rule.past', { defaultMessage: 'Rate and level at the end of each window' })}
    columns={past.windows.map((window) => ({ key: window.to, text: timeOf(window) }))}
    rows={rowsOf(past)}
  />
);
