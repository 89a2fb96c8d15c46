/** Choice of days of the week, of which at least one stays chosen. */
import { EuiButtonGroup, EuiFormRow } from '@elastic/eui';
import type { ReactNode } from 'react';
import { i18n } from '../../../i18n';

/**
 * Numbers of the days in the order of the buttons, Monday to Sunday. {@link nameOf} returns the name of a day in the user's language, from
 * the first week of 2024. 2024-01-01 was a Monday.
 */
const ORDER = [1, 2, 3, 4, 5, 6, 0];
const nameOf = (day: number): string =>
  new Intl.DateTimeFormat(undefined, { weekday: 'short', timeZone: 'UTC' }).format(
    Date.UTC(2024, 0, day === 0 ? 7 : day),
  );

interface DaysOfWeekProps {
  days: readonly number[];
  onChange: (days: number[]) => void;
  disabled: boolean;
}

export function DaysOfWeek({ days, onChange, disabled }: DaysOfWeekProps): ReactNode {
  const label = i18n.translate('dyno.schedule.days', { defaultMessage: 'Days' });
  return (
    <EuiFormRow label={label} hasChildLabel={false} fullWidth>
      <EuiButtonGroup
        type="multi"
        legend={label}
        buttonSize="compressed"
        isDisabled={disabled}
        idToSelectedMap={Object.fromEntries(days.map((day) => [String(day), true]))}
        options={ORDER.map((day) => ({ id: String(day), label: nameOf(day) }))}
        onChange={(id) => {
          const day = Number(id);
          const next = days.includes(day) ? days.filter((one) => one !== day) : [...days, day].sort();
          if (next.length > 0) onChange(next);
        }}
      />
    </EuiFormRow>
  );
}
