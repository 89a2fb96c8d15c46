import { configure, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router';
import { PRESETS } from '../../../common/presets';
import { valueWarnings } from '../../../common/report/tables/printed';
import { show, type Shown } from '../../testing/fake-host';
import AccountPage from './index';

configure({ testIdAttribute: 'data-test-subj' });

const PRESET = PRESETS.find(({ name }) => name === 'azure-replicas')!;

const open = (seed: string, privilege?: 'read' | 'manage'): Shown =>
  show(
    <Routes>
      <Route path="/accounts/:seed" element={<AccountPage />} />
    </Routes>,
    {
      path: `/accounts/${seed}`,
      privilege,
      answers: { 'GET /api/dyno/runs?limit=1000': () => Response.json({ runs: [], total: 0 }) },
    },
  );

/** Returns the section of the page that belongs to the example experiment. */
const part = (): HTMLElement =>
  screen.getByText(PRESET.name, { selector: 'code' }).closest<HTMLElement>('section')!;

test('links to the published article; Dyno’s own experiments have none', () => {
  const { unmount } = open(PRESET.published.seed);
  expect(screen.getByRole('link', { name: /Read the published article/ }).getAttribute('href')).toBe(
    PRESET.published.url,
  );
  unmount();
  open('own-experiments');
  expect(screen.queryByRole('link', { name: /Read the published article/ })).toBeNull();
});

test('shows published results, reasons for flagged ones, and its claims as not measured', () => {
  open(PRESET.published.seed);
  const own = within(part());
  const rows = own.getAllByRole('row').map(({ textContent }) => textContent!);
  expect(rows.some((text) => text.includes('32.7 (flagged)'))).toBe(true);
  for (const warning of valueWarnings(PRESET)) own.getByText(warning);
  expect(own.getAllByTestId('dynoAccountClaim').map(({ textContent }) => textContent)).toEqual(
    PRESET.definition.expect!.map((claim) => `${claim}Not measured here.`),
  );
  expect(screen.queryByText(/diskWait/)).toBeNull();
});

test('shows open questions about the benchmark, which do not flag a result', async () => {
  const user = userEvent.setup();
  open(PRESET.published.seed);
  const [note] = PRESET.published.notes;
  expect(valueWarnings(PRESET)).not.toContain(note);
  const own = within(part());
  const unfold = own.getByRole('button', {
    name: /What the publication does not say, and what does not add up/,
  });
  expect(unfold.getAttribute('aria-expanded')).toBe('false');
  await user.click(unfold);
  expect(unfold.getAttribute('aria-expanded')).toBe('true');
  own.getByText(note!);
});

test('users who may only read cannot start a run', () => {
  open(PRESET.published.seed, 'read');
  expect(
    within(part())
      .getByRole('button', { name: `Run this here, short form: ${PRESET.name}` })
      .hasAttribute('disabled'),
  ).toBe(true);
});

test('an unknown benchmark links to the existing ones', () => {
  open('nowhere');
  screen.getAllByText('This published benchmark does not exist');
  const published = new Set(PRESETS.map(({ published: { title } }) => title));
  const links = screen.getAllByRole('link').map(({ textContent }) => textContent);
  expect(links).toEqual([...published]);
});
