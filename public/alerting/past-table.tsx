/** What a rule would have said, as a small table: a line for each group, a square for each window. */
import { EuiText, useEuiTheme, type EuiThemeComputed } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { PastJudgement, RulePast } from '../../common/api/rules';
import { formatPercent } from '../../common/units/format';
import { i18n } from '../i18n';

const MINUTES: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
const TO_THE_MINUTE = new Intl.DateTimeFormat(undefined, MINUTES);
const TO_THE_SECOND = new Intl.DateTimeFormat(undefined, { ...MINUTES, second: '2-digit' });

/** Windows shorter than a minute need their seconds. */
const timeOf = ({ from, to }: RulePast['windows'][number]): string =>
  (to - from < 60_000 ? TO_THE_SECOND : TO_THE_MINUTE).format(to);

type Level = PastJudgement['level'];

export const levelName = (level: Level): string =>
  ({
    ok: i18n.translate('dyno.rule.level.ok', { defaultMessage: 'no alert' }),
    warning: i18n.translate('dyno.rule.level.warning', { defaultMessage: 'warning' }),
    critical: i18n.translate('dyno.rule.level.critical', { defaultMessage: 'critical' }),
    nodata: i18n.translate('dyno.rule.level.nodata', { defaultMessage: 'no data' }),
  })[level];

const look = (level: Level, { colors }: EuiThemeComputed): { background: string; color: string } =>
  ({
    ok: { background: colors.backgroundLightSuccess, color: colors.textSuccess },
    warning: { background: colors.backgroundLightWarning, color: colors.textWarning },
    critical: { background: colors.backgroundLightDanger, color: colors.textDanger },
    nodata: { background: colors.backgroundBaseSubdued, color: colors.textParagraph },
  })[level];

/** Its rate; a dash where nothing was attempted, brackets where that was too little to judge. */
function figureOf({ rate, ground }: PastJudgement): string {
  if (rate === null) return '–';
  return ground === 'rate' ? formatPercent(rate) : `(${formatPercent(rate)})`;
}

interface Row {
  group: string;
  name: string;
  /** By the window; undefined where the group was not there. */
  judgements: (PastJudgement | undefined)[];
}

/** The worst group first. */
export function rowsOf({ windows }: RulePast): Row[] {
  const names = new Map(
    windows.flatMap(({ judgements }) => judgements.map(({ group, name }) => [group, name] as const)),
  );
  const highest = ({ judgements }: Row): number =>
    Math.max(...judgements.map((judgement) => judgement?.rate ?? 0));
  return [...names]
    .map(([group, name]) => ({
      group,
      name,
      judgements: windows.map(({ judgements }) => judgements.find((each) => each.group === group)),
    }))
    .sort((a, b) => highest(b) - highest(a));
}

function Square({ judgement }: { judgement: PastJudgement | undefined }): ReactNode {
  const { euiTheme } = useEuiTheme();
  if (judgement === undefined) {
    return (
      <td css={{ textAlign: 'center', color: euiTheme.colors.textSubdued }}>
        {/* Nothing was there, and nothing was known of it. */}·
      </td>
    );
  }
  const { background, color } = look(judgement.level, euiTheme);
  return (
    <td
      title={judgement.reason}
      data-level={judgement.level}
      css={{
        background,
        color,
        textAlign: 'center',
        padding: '4px 3px',
        borderRadius: 4,
        whiteSpace: 'nowrap',
        fontVariantNumeric: 'tabular-nums',
        fontWeight: judgement.level === 'critical' ? 600 : 400,
      }}
    >
      {figureOf(judgement)}
      <span css={HIDDEN}>{` ${levelName(judgement.level)}`}</span>
    </td>
  );
}

/** For who hears the page. */
const HIDDEN = {
  position: 'absolute',
  inlineSize: 1,
  blockSize: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
} as const;

export function PastTable({ past }: { past: RulePast }): ReactNode {
  const { euiTheme } = useEuiTheme();
  const subdued = euiTheme.colors.textSubdued;
  const label = i18n.translate('dyno.rule.past', {
    defaultMessage: 'Rate and level by the end of each window',
  });
  return (
    <EuiText size="xs">
      <div css={{ overflowX: 'auto', position: 'relative' }} tabIndex={0} role="group" aria-label={label}>
        <table
          css={{ borderCollapse: 'separate', borderSpacing: 2, inlineSize: 'auto' }}
          data-dyno="rule-past"
        >
          <thead>
            <tr>
              {past.windows.map((window) => (
                <th
                  key={window.to}
                  scope="col"
                  css={{ fontWeight: 400, color: subdued, padding: '2px 3px', textAlign: 'center' }}
                >
                  {timeOf(window)}
                </th>
              ))}
            </tr>
          </thead>
          {rowsOf(past).map(({ group, name, judgements }) => (
            <tbody key={group}>
              <tr>
                <th
                  scope="rowgroup"
                  colSpan={judgements.length}
                  title={group}
                  css={{ textAlign: 'start', padding: '6px 0 2px' }}
                >
                  {name}
                </th>
              </tr>
              <tr>
                {judgements.map((judgement, at) => (
                  <Square key={at} judgement={judgement} />
                ))}
              </tr>
            </tbody>
          ))}
        </table>
      </div>
    </EuiText>
  );
}
