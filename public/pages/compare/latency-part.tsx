/** A chart of the response times of all runs by percentile, for one task and one combination of factor levels. */
import { EuiFlexGroup, EuiFlexItem, EuiSelect, EuiSkeletonRectangle, EuiSpacer } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import type { RunComparison } from '../../../common/report/model/comparison';
import { letter } from '../../../common/report/model/comparison-summary';
import { useApis } from '../../api/queries';
import { ChartFrame } from '../../charts/result/chart-frame';
import { lookOf } from '../../charts/result/marks';
import { PercentileChart } from '../../charts/result/percentile-chart';
import { useSeriesColours } from '../../charts/theme';
import { i18n } from '../../i18n';
import { Part } from '../../ui/page';
import { useQueryState } from '../../ui/query-state';
import { ReportTable } from '../../ui/report-table';
import { percentilesTable } from '../result/distributions';
import { distributionsRequest } from '../result/requests';
import { cellInRuns, labelsOf } from './latency';
import { tasksOf } from './side-by-side';

const HEIGHT = 320;
/** Maximum number of runs in the chart. More lines could not be distinguished. */
const MOST_LINES = 6;

function Choice({
  name,
  options,
  value,
  onChange,
}: {
  name: string;
  options: readonly string[];
  value: string;
  onChange: (value: string) => void;
}): ReactNode {
  if (options.length < 2) return null;
  return (
    <EuiFlexItem grow={false}>
      <EuiSelect
        compressed
        prepend={name}
        aria-label={name}
        value={value}
        options={options.map((one) => ({ value: one, text: one }))}
        onChange={({ target }) => onChange(target.value)}
      />
    </EuiFlexItem>
  );
}

const oneOf = (options: readonly string[], wanted: string, first = options[0] ?? ''): string =>
  options.includes(wanted) ? wanted : first;

export function LatencyPart({ comparison }: { comparison: RunComparison }): ReactNode {
  const shown = comparison.runs.slice(0, MOST_LINES);
  const { answers, isPending } = useApis(
    'getDistributions',
    shown.map(({ id }) => distributionsRequest(id)),
  );
  const runs = answers.map((answer) => answer?.tasks);
  const [wantedTask, setTask] = useQueryState('task');
  const [wantedCell, setCell] = useQueryState('cell');
  const colours = useSeriesColours();
  const tasks = tasksOf(comparison).filter((task) => labelsOf(runs, task).length > 0);
  const task = oneOf(tasks, wantedTask, oneOf(tasks, comparison.focus.task));
  const labels = labelsOf(runs, task);
  const label = oneOf(labels, wantedCell);
  const cells = cellInRuns(runs, task, label);
  const key = JSON.stringify([task, label, cells.map((cell) => cell?.count)]);
  const own = useMemo(
    () =>
      cells.flatMap((cell, at) =>
        cell === null
          ? []
          : [
              {
                cell,
                name: `${letter(at)}: ${shown[at]!.name} (${shown[at]!.id})`,
                look: lookOf(colours, at),
                points: cell.percentiles,
              },
            ],
      ),
    // oxlint-disable-next-line exhaustive-deps
    [key, colours],
  );
  if (own.length === 0 && !isPending) return null;
  const title = i18n.translate('dyno.compare.latency', {
    defaultMessage: 'Response time of {task} by percentile',
    values: { task },
  });
  const description = i18n.translate('dyno.compare.latencyDescription', {
    defaultMessage:
      '{cell, select, none {} other {Cell {cell}. }}All requests of the trials of each run, from merged histograms. Percentiles with too few values are left out.',
    values: { cell: label === '' ? 'none' : label },
  });
  return (
    <Part title={i18n.translate('dyno.compare.responseTimes', { defaultMessage: 'Response times' })}>
      {own.length === 0 ? (
        <EuiSkeletonRectangle width="100%" height={HEIGHT} />
      ) : (
        <>
          <EuiFlexGroup gutterSize="s" wrap responsive={false}>
            <Choice
              name={i18n.translate('dyno.compare.latencyTask', { defaultMessage: 'Task' })}
              options={tasks}
              value={task}
              onChange={setTask}
            />
            <Choice
              name={i18n.translate('dyno.compare.cell', { defaultMessage: 'Cell' })}
              options={labels}
              value={label}
              onChange={setCell}
            />
          </EuiFlexGroup>
          <EuiSpacer size="s" />
          <ChartFrame
            title={title}
            description={description}
            height={HEIGHT}
            legend={own.map(({ name, look }) => ({ name, colour: look.colour, glyph: '━' }))}
          >
            <PercentileChart lines={own} logarithmic={false} />
          </ChartFrame>
          <EuiSpacer size="m" />
          <ReportTable
            table={percentilesTable(
              title,
              own.map(({ cell }) => cell),
              own.map(({ name }) => name),
              i18n.translate('dyno.compare.run', { defaultMessage: 'run' }),
            )}
            titled={false}
          />
        </>
      )}
    </Part>
  );
}
