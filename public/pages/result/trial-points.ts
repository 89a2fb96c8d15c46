/** The trials in the order in which they ran, as points of a chart. */
import { formatChange } from '../../../common/analysis/wording';
import { cellNames } from '../../../common/report/model/cell-names';
import type { Report } from '../../../common/report/model/report';
import { formatMs, formatNumber } from '../../../common/units/format';
import type { OrderPoint } from '../../charts/result/order-chart';
import { taskUnit } from './metrics';

/** `relative`: to the mean of the trial's own cell, which leaves the drift alone. */
export function trialPoints(report: Report, task: string, relative: boolean): OrderPoint[] {
  const { names } = cellNames(report);
  const unit = taskUnit(report, task);
  const means = new Map(
    report.cells.map(({ index, tasks }) => [
      index,
      tasks.find((own) => own.task === task)?.throughput.mean ?? null,
    ]),
  );
  const groups = new Map(report.cells.map(({ index }, at) => [index, at]));
  return report.trials.map((trial) => {
    const { order, repetition, cellIndex, state, reason, doubts, tasks } = trial;
    const own = state === 'completed' ? tasks.find((candidate) => candidate.task === task) : undefined;
    const mean = means.get(cellIndex) ?? null;
    const group = groups.get(cellIndex) ?? 0;
    const ratio = own && mean ? own.throughput / mean : null;
    const notes = [
      ...new Set(
        doubts.map(({ kind, detail }) => [kind.replaceAll('-', ' '), detail].filter(Boolean).join(': ')),
      ),
    ];
    return {
      order: order + 1,
      group,
      value: own === undefined ? null : relative ? ratio : own.throughput,
      doubtful: doubts.length > 0,
      heading: `#${order + 1}: ${names[group]}, ${repetition + 1}`,
      lines: [
        ...(own === undefined
          ? [{ label: state, value: reason }]
          : [
              { label: 'throughput', value: `${formatNumber(own.throughput)} ${unit}` },
              { label: 'to its cell’s mean', value: formatChange(ratio) },
              { label: 'p99', value: formatMs(own.latencyP99) },
            ]),
        ...(notes.length === 0 ? [] : [{ label: 'doubts', value: notes.join('; ') }]),
      ],
    };
  });
}
