/**
 * Field for the time at which scheduled runs start: a time of day in the zone of the schedule, or minutes past the hour for hourly runs.
 */
import { EuiFieldNumber, EuiFieldText, EuiFormRow } from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import type { Rhythm } from '../../../../common/experiment/schedule';
import { i18n } from '../../../i18n';

interface TimeOfDayProps {
  rhythm: Rhythm;
  zone: string;
  onChange: (next: Rhythm) => void;
  disabled: boolean;
}

const two = (value: number): string => String(value).padStart(2, '0');

export function TimeOfDay({ rhythm, zone, onChange, disabled }: TimeOfDayProps): ReactNode {
  const [typed, setTyped] = useState<string | null>(null);
  if (rhythm.every === 'hour') {
    return (
      <EuiFormRow label={i18n.translate('dyno.schedule.minute', { defaultMessage: 'Minutes past the hour' })}>
        <EuiFieldNumber
          min={0}
          max={59}
          disabled={disabled}
          value={rhythm.minute}
          onChange={({ target }) => {
            const minute = Number(target.value);
            if (minute >= 0 && minute <= 59) onChange({ ...rhythm, minute });
          }}
        />
      </EuiFormRow>
    );
  }
  const now = `${two(rhythm.hour)}:${two(rhythm.minute)}`;
  return (
    <EuiFormRow label={i18n.translate('dyno.schedule.time', { defaultMessage: 'At' })}>
      <EuiFieldText
        type={'time' as 'text'}
        append={zone}
        disabled={disabled}
        value={typed ?? now}
        onBlur={() => setTyped(null)}
        onChange={({ target }) => {
          setTyped(target.value);
          const match = /^(\d{2}):(\d{2})/.exec(target.value);
          if (match) onChange({ ...rhythm, hour: Number(match[1]), minute: Number(match[2]) });
        }}
      />
    </EuiFormRow>
  );
}
