/**
 * The form of the rule *Experiment regression*: the experiment, the changes of its metrics that raise an alert, and the treatment of
 * missing runs.
 */
import { EuiCallOut, EuiFlexGroup, EuiFlexItem, EuiFormRow, EuiSelect, EuiSpacer } from '@elastic/eui';
import type { ReactNode } from 'react';
import { DIRECTIONS } from '../../../common/alerting/regressions/params';
import type { RouteResponse } from '../../../common/api/route';
import type { Api } from '../../../common/api';
import { formatPercent } from '../../../common/units/format';
import { useApi } from '../../api/queries';
import { i18n } from '../../i18n';
import { useExperimentOptions } from '../experiments';
import { byId, ListField, NumberField, SwitchField, TextField, type Option } from '../fields';
import { useForm } from '../form-context';
import { RegressionTest } from './test';

type History = RouteResponse<Api['getHistory']>;

/**
 * A time after all runs. If a request for the history begins at this time, the response has no values of single runs, but still lists all
 * metrics. The form needs only the metrics.
 */
const LATER_THAN_ALL = '9999-01-01T00:00:00Z';

/**
 * Returns the history of the chosen experiment without the values of its runs; undefined until it is loaded. `isUnknown`: no experiment has
 * the entered id.
 */
function useSeries(): { history: History | undefined; isUnknown: boolean } {
  const { raw } = useForm();
  const id = typeof raw['experiment'] === 'string' ? raw['experiment'] : '';
  const { data, error } = useApi(
    'getHistory',
    { params: { id }, query: { from: LATER_THAN_ALL } },
    { enabled: id !== '' },
  );
  return { history: data, isUnknown: error?.status === 404 };
}

const distinct = (options: readonly Option[]): Option[] => [
  ...new Map(options.map((option) => [option.key, option])).values(),
];

function Scope({ history, isUnknown }: ReturnType<typeof useSeries>): ReactNode {
  const series = history?.series ?? [];
  const all = i18n.translate('dyno.rule.all', { defaultMessage: 'All' });
  return (
    <>
      <ListField
        single
        name="experiment"
        label={i18n.translate('dyno.rule.experiment', { defaultMessage: 'Experiment' })}
        placeholder={i18n.translate('dyno.rule.experiment.choose', {
          defaultMessage: 'Choose an experiment',
        })}
        help={
          isUnknown
            ? i18n.translate('dyno.rule.experiment.unknown', {
                defaultMessage:
                  'This experiment does not exist here yet. The rule starts to watch it with its first run.',
              })
            : undefined
        }
        {...useExperimentOptions()}
        other={byId()}
      />
      <EuiSpacer size="m" />
      <EuiFlexGroup gutterSize="m">
        <EuiFlexItem>
          <ListField
            name="metrics"
            label={i18n.translate('dyno.rule.metrics', { defaultMessage: 'Metrics' })}
            placeholder={all}
            help={i18n.translate('dyno.rule.metrics.help', {
              defaultMessage: 'All: the metrics by which the experiment is judged.',
            })}
            options={distinct(series.map(({ metric, title }) => ({ key: metric, label: title })))}
            other={i18n.translate('dyno.rule.metrics.other', {
              defaultMessage: 'The metric {searchValue}',
              values: { searchValue: '{searchValue}' },
            })}
          />
        </EuiFlexItem>
        <EuiFlexItem>
          <ListField
            name="cells"
            label={i18n.translate('dyno.rule.cells', { defaultMessage: 'Cells' })}
            placeholder={all}
            options={distinct(series.map(({ cell, label }) => ({ key: cell, label: label || cell })))}
            other={i18n.translate('dyno.rule.cells.other', {
              defaultMessage: 'The cell {searchValue}',
              values: { searchValue: '{searchValue}' },
            })}
          />
        </EuiFlexItem>
      </EuiFlexGroup>
    </>
  );
}

const directionName = (direction: (typeof DIRECTIONS)[number]): string =>
  ({
    worse: i18n.translate('dyno.rule.direction.worse', { defaultMessage: 'Changes for the worse' }),
    any: i18n.translate('dyno.rule.direction.any', { defaultMessage: 'Any change' }),
  })[direction];

function Changes({ history }: { history: History | undefined }): ReactNode {
  const { raw, set } = useForm();
  const margin =
    history === undefined || history.nights.length + history.series.length === 0 ? 0 : history.margin;
  const least = raw['least'];
  return (
    <>
      <EuiFlexGroup gutterSize="m">
        <EuiFlexItem>
          <EuiFormRow
            fullWidth
            label={i18n.translate('dyno.rule.direction', { defaultMessage: 'Alert on' })}
            helpText={i18n.translate('dyno.rule.direction.help', {
              defaultMessage: 'Dyno knows for each metric whether higher or lower values are worse.',
            })}
          >
            <EuiSelect
              fullWidth
              compressed
              value={String(raw['direction'])}
              options={DIRECTIONS.map((value) => ({ value, text: directionName(value) }))}
              onChange={({ target }) => set('direction', target.value)}
            />
          </EuiFormRow>
        </EuiFlexItem>
        <EuiFlexItem>
          <NumberField
            name="least"
            label={i18n.translate('dyno.rule.least', { defaultMessage: 'Of at least' })}
            help={
              margin > 0
                ? i18n.translate('dyno.rule.least.help', {
                    defaultMessage: 'If empty, the margin of the experiment ({margin}) applies.',
                    values: { margin: formatPercent(margin) },
                  })
                : i18n.translate('dyno.rule.least.margin', {
                    defaultMessage: 'If empty, the margin of the experiment applies.',
                  })
            }
            placeholder={margin > 0 ? String(Number((margin * 100).toPrecision(6))) : ''}
            append="%"
            scale={100}
            optional
          />
        </EuiFlexItem>
        <EuiFlexItem>
          <NumberField
            name="confirm"
            label={i18n.translate('dyno.rule.confirm', { defaultMessage: 'Once confirmed by' })}
            append={i18n.translate('dyno.rule.confirm.runs', { defaultMessage: 'runs' })}
            help={i18n.translate('dyno.rule.confirm.help', {
              defaultMessage: 'The analysis itself needs 3 runs or more.',
            })}
          />
        </EuiFlexItem>
      </EuiFlexGroup>
      {typeof least === 'number' && least < margin ? (
        <>
          <EuiSpacer size="s" />
          <EuiCallOut
            size="s"
            color="warning"
            title={i18n.translate('dyno.rule.least.below', {
              defaultMessage:
                'Dyno never reports changes below the margin of the experiment ({margin}). To be notified of smaller changes, reduce the margin of the experiment.',
              values: { margin: formatPercent(margin) },
            })}
          />
        </>
      ) : null}
      <EuiSpacer size="m" />
      <TextField
        name="since"
        label={i18n.translate('dyno.rule.since', { defaultMessage: 'Accept changes of runs before' })}
        placeholder={i18n.translate('dyno.rule.since.none', {
          defaultMessage: 'none, or a date: 2026-11-21',
        })}
        help={i18n.translate('dyno.rule.since.help', {
          defaultMessage:
            'An accepted change causes no alert. Later changes are compared with the level after the accepted change.',
        })}
      />
    </>
  );
}

function Missing(): ReactNode {
  return (
    <>
      <TextField
        name="noNightFor"
        label={i18n.translate('dyno.rule.noRun', { defaultMessage: 'Alert when no run has begun for' })}
        placeholder={i18n.translate('dyno.rule.noRun.none', { defaultMessage: 'never, or a time: 36h' })}
        help={i18n.translate('dyno.rule.noRun.help', {
          defaultMessage:
            'The time since the start of the newest completed run. Choose more than the time between two runs plus the time of a run.',
        })}
      />
      <SwitchField
        name="silent"
        on="alert"
        off="nothing"
        label={i18n.translate('dyno.rule.silent', {
          defaultMessage: 'Alert when a series is missing from the newest run',
        })}
        help={i18n.translate('dyno.rule.silent.help', {
          defaultMessage:
            'Applies to each metric and cell that at least one of the seven runs before the newest run measured.',
        })}
      />
    </>
  );
}

export function RegressionForm(): ReactNode {
  const series = useSeries();
  return (
    <>
      <Scope {...series} />
      <EuiSpacer size="m" />
      <Changes history={series.history} />
      <EuiSpacer size="m" />
      <Missing />
      <EuiSpacer size="l" />
      <RegressionTest />
      <EuiSpacer size="m" />
    </>
  );
}
