import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState, type ReactNode } from 'react';
import type { ScheduleSetting } from '../../../../common/experiment/schedule';
import { show } from '../../../testing/fake-host';
import { ScheduleFields } from './fields';

const user = userEvent.setup();

/** Shows the fields. Returns a function with the newest value. */
function showFields(first: ScheduleSetting | null): { value: () => ScheduleSetting | null } {
  let newest = first;
  function Fields(): ReactNode {
    const [value, setValue] = useState(first);
    newest = value;
    return <ScheduleFields value={value} onChange={setValue} />;
  }
  show(<Fields />);
  return { value: () => newest };
}

test('a schedule can be one date and time, in its zone', async () => {
  const { value } = showFields(null);
  await user.selectOptions(screen.getByRole('combobox', { name: 'Runs' }), 'Once');
  expect(value()).toMatch(/^once \d{4}-\d{2}-\d{2} 02:00$/);
  fireEvent.change(screen.getByLabelText('Date and time'), { target: { value: '2999-12-01T22:30' } });
  expect(value()).toBe('once 2999-12-01 22:30');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Time zone' }), 'Europe/Berlin');
  expect(value()).toBe('once 2999-12-01 22:30 Europe/Berlin');
  expect(screen.getByText(/Once, on 2999-12-01 at 22:30 Europe\/Berlin/)).toBeTruthy();
  fireEvent.change(screen.getByLabelText('Date and time'), { target: { value: '' } });
  expect(screen.getByText(/not a date and a time/)).toBeTruthy();
});

test('a time in the past is reported, and a later one can be chosen', () => {
  const { value } = showFields('once 2001-01-01 00:00');
  expect(screen.getByText(/This time has passed, so no run will start/)).toBeTruthy();
  fireEvent.change(screen.getByLabelText('Date and time'), { target: { value: '2999-12-01T22:30' } });
  expect(value()).toBe('once 2999-12-01 22:30');
  expect(screen.queryByText(/This time has passed/)).toBeNull();
});

test('the time of day shows the zone of its schedule', () => {
  showFields('0 3 * * * Europe/Berlin');
  expect(screen.getAllByText('Europe/Berlin').length).toBeGreaterThan(1);
  expect(screen.queryByText('UTC', { selector: '.euiFormLabel' })).toBeNull();
});
