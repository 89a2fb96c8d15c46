/** The part of the rule's form that shows what the rule would have reported for the newest runs. */
import { EuiSpacer, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { RegressionParams } from '../../../common/alerting/regressions/params';
import type { RegressionPast } from '../../../common/alerting/regressions/past';
import { plural } from '../../../common/units/format';
import { i18n } from '../../i18n';
import { LevelTable, type LevelCell, type Tone } from '../level-table';
import { LevelChanges, TestPart } from '../test-part';
import { parseTime } from '../../../common/units/time';

const HISTORY_RUNS = 30;

type PastLevel = NonNullable<RegressionPast['rows'][number]['levels'][number]>;

const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'numeric' });

const OF_MONTH = new Intl.DateTimeFormat(undefined, { day: 'numeric' });

/**
 * Returns the day of a run as a column heading. The month is included only if it differs from the heading before, because thirty complete
 * dates would be too wide.
 */
const headOf = (at: string, before: string | undefined): string => {
  const [own, last] = [
    new Date(parseTime(at)),
    before === undefined ? undefined : new Date(parseTime(before)),
  ];
  return (own.getMonth() === last?.getMonth() ? OF_MONTH : DAY).format(own);
};

const levelName = (level: PastLevel['level']): string =>
  ({
    ok: i18n.translate('dyno.rule.level.ok', { defaultMessage: 'no alert' }),
    regression: i18n.translate('dyno.rule.level.regression', { defaultMessage: 'regression' }),
    change: i18n.translate('dyno.rule.level.change', { defaultMessage: 'change for the better' }),
    nodata: i18n.translate('dyno.rule.level.nodata', { defaultMessage: 'no data' }),
  })[level];

const SQUARES: Readonly<Record<PastLevel['level'], { tone: Tone; text: string }>> = {
  ok: { tone: 'good', text: '✓' },
  regression: { tone: 'bad', text: '!' },
  change: { tone: 'warning', text: '↗' },
  nodata: { tone: 'quiet', text: '–' },
};

const cellOf = (past: PastLevel | null): LevelCell | undefined =>
  past === null ? undefined : { ...SQUARES[past.level], level: levelName(past.level), reason: past.reason };

function Outcome({ past }: { past: RegressionPast }): ReactNode {
  const { nights: runs, rows, said: changes, series, late } = past;
  if (runs.length === 0) {
    return (
      <EuiText size="s">
        <p>
          {late ??
            i18n.translate('dyno.rule.test.noRuns', {
              defaultMessage: 'No run of this experiment has completed yet.',
            })}
        </p>
      </EuiText>
    );
  }
  const runsRow = i18n.translate('dyno.rule.test.runs', { defaultMessage: 'Time before the run' });
  return (
    <>
      <EuiText size="xs">
        <p>
          {i18n.translate('dyno.rule.test.watched', {
            defaultMessage: '{series} over {runs}, based on today’s history.',
            values: {
              series: plural(series, 'series', 'series'),
              runs: plural(runs.length, 'run'),
            },
          })}
        </p>
      </EuiText>
      {rows.length === 0 ? null : (
        <LevelTable
          label={i18n.translate('dyno.rule.test.levels', { defaultMessage: 'Level after each run' })}
          columns={runs.map(({ run, at }, place) => ({
            key: run,
            text: headOf(at, runs[place - 1]?.at),
          }))}
          rows={rows.map(({ id, name, levels }) => ({
            id,
            name: name === '' ? runsRow : name,
            cells: levels.map(cellOf),
          }))}
        />
      )}
      <EuiSpacer size="s" />
      <EuiText size="xs">
        {late === null ? null : <p>{late}</p>}
        <LevelChanges
          changes={changes.map(({ id, night: run, reason }) => ({
            key: `${run.run} ${id}`,
            reason: `${DAY.format(new Date(parseTime(run.at)))}: ${reason}`,
          }))}
        />
      </EuiText>
    </>
  );
}

export const RegressionTest = (): ReactNode => (
  <TestPart<'testRegressionRule', RegressionParams>
    route="testRegressionRule"
    request={(tried) => ({ body: { params: tried, nights: HISTORY_RUNS } })}
    help={i18n.translate('dyno.rule.test.help.runs', {
      defaultMessage: 'Evaluates the rule after each of the last {count} runs.',
      values: { count: HISTORY_RUNS },
    })}
    outcome={(past) => <Outcome past={past} />}
  />
);
