/**
 * Controls of the chart that shows the effect of a factor on a metric. They select the task, the metric, the factors, and the scales of the
 * axes.
 */
import { EuiButtonGroup, EuiFlexGroup, EuiFlexItem, EuiSelect, EuiSwitch } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { Spacing } from '../../charts/result/slots';
import type { MetricName } from '../../../common/report/chart/interval-series';
import type { ReportClusterFigure } from '../../../common/report/model/cluster';
import { i18n } from '../../i18n';
import { EVERY_CELL, type Factor, type FactorChoice, type FactorView } from './factor-view';

export interface FactorControlsProps {
  tasks: readonly string[];
  task: string;
  setTask: (task: string) => void;
  metric: MetricName;
  /** An option at the top of the list of metrics; null if the list only has the usual metrics. */
  first: { id: MetricName; label: string } | null;
  /** Whether the task looks for the highest rate that the target can sustain. */
  searched: boolean;
  /** Whether the prices of the clusters are known. The metrics then include some per price, such as `docs/EUR`. */
  priced: boolean;
  /** Metrics of the cluster that are available in this run. */
  ofCluster: readonly ReportClusterFigure[];
  setMetric: (metric: string) => void;
  factors: readonly Factor[];
  view: FactorView;
  setView: (choice: Partial<FactorChoice>) => void;
  spacing: Spacing;
  setSpacing: (spacing: string) => void;
  fromZero: boolean;
  setFromZero: (fromZero: boolean) => void;
}

function Choice(props: {
  name: string;
  /** Label for screen readers, if the visible text is not sufficient. */
  label?: string;
  value: string;
  options: { value: string; text: string }[];
  onChange: (value: string) => void;
}): ReactNode {
  const { name, label = name, value, options, onChange } = props;
  return (
    <EuiFlexItem grow={false}>
      <EuiSelect
        compressed
        prepend={name}
        aria-label={label}
        value={value}
        options={options}
        onChange={(event) => onChange(event.target.value)}
      />
    </EuiFlexItem>
  );
}

const metricOptions = (searched: boolean, priced: boolean): { id: MetricName; label: string }[] => [
  {
    id: 'throughput',
    label: i18n.translate('dyno.result.choose.throughput', { defaultMessage: 'Throughput' }),
  },
  ...(searched
    ? [
        {
          id: 'sustainable' as const,
          label: i18n.translate('dyno.result.choose.sustainable', { defaultMessage: 'Sustained rate' }),
        },
      ]
    : []),
  ...(priced
    ? [
        {
          id: 'per_money' as const,
          label: i18n.translate('dyno.result.choose.perMoney', { defaultMessage: 'For money' }),
        },
      ]
    : []),
  { id: 'p50', label: i18n.translate('dyno.result.choose.p50', { defaultMessage: 'p50' }) },
  { id: 'p99', label: i18n.translate('dyno.result.choose.p99', { defaultMessage: 'p99' }) },
  {
    id: 'rejections',
    label: i18n.translate('dyno.result.choose.rejections', { defaultMessage: 'Rejections' }),
  },
];

const spacingOptions = (): { id: Spacing; label: string }[] => [
  { id: 'even', label: i18n.translate('dyno.result.choose.even', { defaultMessage: 'Even' }) },
  { id: 'linear', label: i18n.translate('dyno.result.choose.linear', { defaultMessage: 'Linear' }) },
  { id: 'log', label: i18n.translate('dyno.result.choose.log', { defaultMessage: 'Log' }) },
];

function FactorChoices({
  factors,
  view,
  setView,
}: Pick<FactorControlsProps, 'factors' | 'view' | 'setView'>): ReactNode {
  const { x, by, fixed } = view.choice;
  const varied = factors.filter(({ levels }) => levels.length > 1);
  if (varied.length < 2) return null;
  const names = varied.map(({ path, name }) => ({ value: path, text: name }));
  const everyCell = i18n.translate('dyno.result.choose.everyCell', { defaultMessage: 'every cell' });
  const none = i18n.translate('dyno.result.choose.none', { defaultMessage: 'none' });
  return (
    <>
      <Choice
        name={i18n.translate('dyno.result.choose.x', { defaultMessage: 'Along x' })}
        value={x}
        options={[...names, { value: EVERY_CELL, text: everyCell }]}
        onChange={(path) => setView(path === by ? { x: path, by: x } : { x: path })}
      />
      {x === EVERY_CELL ? null : (
        <Choice
          name={i18n.translate('dyno.result.choose.by', { defaultMessage: 'By colour' })}
          value={by}
          options={[{ value: '', text: none }, ...names.filter(({ value }) => value !== x)]}
          onChange={(path) => setView({ by: path })}
        />
      )}
      {Object.entries(fixed).map(([path, level]) => {
        const factor = factors.find((own) => own.path === path);
        if (factor === undefined || factor.levels.length < 2) return null;
        return (
          <Choice
            key={path}
            name={i18n.translate('dyno.result.choose.at', { defaultMessage: 'At' })}
            label={factor.name}
            value={level}
            options={factor.levels.map((own) => ({ value: own, text: `${factor.name} ${own}` }))}
            onChange={(chosen) => setView({ fixed: { ...fixed, [path]: chosen } })}
          />
        );
      })}
    </>
  );
}

export function FactorControls(props: FactorControlsProps): ReactNode {
  const {
    tasks,
    task,
    setTask,
    metric,
    first,
    priced,
    searched,
    ofCluster,
    setMetric,
    factors,
    view,
    setView,
    spacing,
    setSpacing,
    fromZero,
    setFromZero,
  } = props;
  const { values } = view.places;
  return (
    <EuiFlexGroup gutterSize="s" wrap responsive={false} alignItems="center">
      {tasks.length < 2 ? null : (
        <Choice
          name={i18n.translate('dyno.result.choose.task', { defaultMessage: 'Task' })}
          value={task}
          options={tasks.map((name) => ({ value: name, text: name }))}
          onChange={setTask}
        />
      )}
      {/* On a phone, the group is wider than the page and scrolls. */}
      <EuiFlexItem grow={false} css={{ maxInlineSize: '100%', overflowX: 'auto' }}>
        <EuiButtonGroup
          legend={i18n.translate('dyno.result.choose.metric', { defaultMessage: 'Metric' })}
          options={[...(first === null ? [] : [first]), ...metricOptions(searched, priced)]}
          idSelected={metric}
          onChange={setMetric}
          css={{ minInlineSize: 'max-content' }}
          buttonSize="compressed"
        />
      </EuiFlexItem>
      {ofCluster.length === 0 ? null : (
        <Choice
          name={i18n.translate('dyno.result.choose.cluster', { defaultMessage: 'Cluster' })}
          label={i18n.translate('dyno.result.choose.clusterFigure', {
            defaultMessage: 'Metric of the cluster',
          })}
          value={ofCluster.some((figure) => figure.metric === metric) ? metric : ''}
          options={[
            {
              value: '',
              text: i18n.translate('dyno.result.choose.noFigure', { defaultMessage: 'no figure' }),
            },
            ...ofCluster.map((figure) => ({ value: figure.metric, text: figure.title })),
          ]}
          onChange={(chosen) => setMetric(chosen === '' ? 'throughput' : chosen)}
        />
      )}
      <FactorChoices factors={factors} view={view} setView={setView} />
      {values === null ? null : (
        <EuiFlexItem grow={false}>
          <EuiButtonGroup
            legend={i18n.translate('dyno.result.choose.spacing', { defaultMessage: 'Spacing of the levels' })}
            options={spacingOptions().map((option) => ({
              ...option,
              isDisabled: option.id === 'log' && values.some((value) => value <= 0),
            }))}
            idSelected={spacing}
            onChange={setSpacing}
            buttonSize="compressed"
          />
        </EuiFlexItem>
      )}
      <EuiFlexItem grow={false}>
        <EuiSwitch
          compressed
          label={i18n.translate('dyno.result.choose.fromZero', { defaultMessage: 'From zero' })}
          checked={fromZero}
          onChange={(event) => setFromZero(event.target.checked)}
        />
      </EuiFlexItem>
    </EuiFlexGroup>
  );
}
