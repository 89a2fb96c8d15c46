/** The main facts about a trial: state, values of its tasks, and warnings. */
import type { ReactNode } from 'react';
import { formatDuration, formatMs, formatNumber, formatPercent } from '../../../common/units/format';
import { i18n } from '../../i18n';
import { formatLocal } from '../../ui/time';
import type { Square } from './grid';
import { squareState } from './square-state';
import { parseTime } from '../../../common/units/time';

export const trialTitle = ({ order, repetition }: Square, label: string): string =>
  i18n.translate('dyno.trial.title', {
    defaultMessage: 'Trial {number}: {label}, repetition {repetition}',
    values: { number: order + 1, label, repetition: repetition + 1 },
  });

export function TrialNotes({ square: { state, trial, earlier } }: { square: Square }): ReactNode {
  if (trial === null) return <p>{squareState(state)}</p>;
  const length = trial.ended === null ? null : parseTime(trial.ended) - parseTime(trial.started);
  return (
    <>
      <p>
        {squareState(state)}
        {trial.reason === '' ? '' : `: ${trial.reason}`}
      </p>
      {trial.repeats === undefined ? null : (
        <p>
          {i18n.translate('dyno.trial.repeats', {
            defaultMessage: 'Repeated at the end, because of an outage during the first attempt: {why}',
            values: { why: trial.repeats },
          })}
        </p>
      )}
      <p>
        {formatLocal(trial.started)}
        {length === null ? '' : `, ${formatDuration(length)}`}
      </p>
      {trial.tasks.map((task) => (
        <p key={task.task}>
          <strong>{task.task}</strong> {formatNumber(task.throughput)} {task.unit}
          <br />
          {i18n.translate('dyno.trial.figures', {
            defaultMessage: 'p50 {p50}, p99 {p99}, rejected {rejected}',
            values: {
              p50: formatMs(task.latencyP50),
              p99: formatMs(task.latencyP99),
              rejected: formatPercent(task.rejectionRate),
            },
          })}
        </p>
      ))}
      {trial.doubts.map((warning) => (
        <p key={warning}>⚠ {warning}</p>
      ))}
      {earlier === 0 ? null : (
        <p>
          {i18n.translate('dyno.trial.earlier', {
            defaultMessage:
              '{earlier, plural, one {One earlier attempt} other {# earlier attempts}} did not complete.',
            values: { earlier },
          })}
        </p>
      )}
    </>
  );
}
