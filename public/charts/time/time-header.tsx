/** The header of each tooltip in a chart over time: local time, UTC, and the phase of the trial. */
import type { PointerValue } from '@elastic/charts';
import type { ReactNode } from 'react';
import { i18n } from '../../i18n';
import { formatLocal } from '../../ui/time';
import { phaseAt, useTimeAxis, type Phase } from './axis';

export const phaseName = (phase: Phase['phase']): string =>
  ({
    prepare: i18n.translate('dyno.phase.prepare', { defaultMessage: 'prepare' }),
    'warm-up': i18n.translate('dyno.phase.warmup', { defaultMessage: 'warm-up' }),
    measure: i18n.translate('dyno.phase.measure', { defaultMessage: 'measure' }),
    drain: i18n.translate('dyno.phase.drain', { defaultMessage: 'drain' }),
  })[phase];

/** Returns a text such as `Trial 3, measure: refresh_interval=5s`. */
export const phaseText = ({ order, phase, label }: Phase): string =>
  i18n.translate('dyno.timeChart.phase', {
    defaultMessage: 'Trial {number}, {phase}: {label}',
    values: { number: order + 1, phase: phaseName(phase), label },
  });

const utcTime = (at: number): string => `${new Date(at).toISOString().slice(11, 19)} UTC`;

export function TimeHeader({ header }: { header: PointerValue | null }): ReactNode {
  const at = Number(header?.value);
  return Number.isFinite(at) ? <TimeText at={at} /> : null;
}

/** Shows a time, local and in UTC, and the phase of the trial at this time. `at` is in ms since the epoch. */
export function TimeText({ at }: { at: number }): ReactNode {
  const { phases } = useTimeAxis();
  const phase = phaseAt(phases, at);
  return (
    <div css={{ padding: '4px 8px 2px', fontSize: 12 }}>
      <strong>{formatLocal(new Date(at).toISOString())}</strong> ({utcTime(at)})
      {phase === undefined ? null : <div>{phaseText(phase)}</div>}
    </div>
  );
}
