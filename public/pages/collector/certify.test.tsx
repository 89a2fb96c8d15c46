import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { CertificationStatus } from '../../../common/api/certification';
import { errorBody } from '../../../common/api/error';
import { inputError } from '../../../common/problem';
import type { AppHost } from '../../app/host';
import { show, type Answers } from '../../testing/fake-host';
import { Certify } from './certify';
import { certificationStatus, lastCertification } from './testing/made-certification';

const PATH = '/api/dyno/certification';
const GOING = {
  started: new Date().toISOString(),
  done: 3,
  of: 14,
  now: { behaviour: 'two-humps', text: '2 ms, 5% 50 ms', perSecond: 2000 },
};

/** Shows the section *Certify this instrument* with a given state. Returns the list of the requests that it sends. */
function showCertify(
  first: CertificationStatus,
  more: { has?: Partial<AppHost>; privilege?: AppHost['privilege']; answers?: Answers } = {},
): string[] {
  const asked: string[] = [];
  let now = first;
  const become = (name: string, next: CertificationStatus) => () => {
    asked.push(name);
    now = next;
    return Response.json(next);
  };
  show(<Certify />, {
    ...more,
    answers: {
      [`GET ${PATH}`]: () => Response.json(now),
      [`POST ${PATH}`]: become('start', certificationStatus({ progress: GOING })),
      [`POST ${PATH}/cancel`]: become('cancel', certificationStatus({})),
      ...more.answers,
    },
  });
  return asked;
}

const part = (name: string): Promise<HTMLElement> =>
  waitFor(() => {
    const found = document.querySelector<HTMLElement>(`[data-test-subj="${name}"]`);
    if (found === null) throw new Error(`no ${name}`);
    return found;
  });

const press = async (name: string): Promise<void> => {
  const button = await screen.findByRole('button', { name });
  act(() => void fireEvent.click(button));
};

test('starts if nobody else uses the machine, shows its progress, and can be cancelled', async () => {
  const asked = showCertify(certificationStatus({}));
  expect(await screen.findByText(/has never been certified/)).toBeTruthy();
  expect(screen.getByText(/only loads the machine of Dyno, bench \(2 cores\)/)).toBeTruthy();
  await press('Certify this instrument');
  const going = await part('dynoCertifying');
  expect(going.textContent).toContain('3 of 14 measured.');
  expect(going.textContent).toContain('Now: two-humps (2 ms, 5% 50 ms) at 2,000 requests per second.');
  expect(screen.queryByRole('button', { name: 'Certify this instrument' })).toBeNull();
  await press('Cancel certification');
  expect(await screen.findByText(/has never been certified/)).toBeTruthy();
  expect(asked).toEqual(['start', 'cancel']);
});

test('asks for confirmation if others use the machine', async () => {
  const loadsMachine = () => ({ title: 'Load it?', text: 'Others work here.' });
  const asked = showCertify(certificationStatus({}), { has: { loadsMachine } });
  await press('Certify this instrument');
  expect(await screen.findByText('Others work here.')).toBeTruthy();
  await press('Not now');
  expect(asked).toEqual([]);
  await press('Certify this instrument');
  await press('Certify now');
  await part('dynoCertifying');
  expect(asked).toEqual(['start']);
});

test('can be neither started nor cancelled by readers', async () => {
  showCertify(certificationStatus({}), { privilege: 'read' });
  await screen.findByText(/has never been certified/);
  expect(screen.queryByRole('button', { name: 'Certify this instrument' })).toBeNull();
});

test('a refusal shows the reason', async () => {
  const message = 'a run is running here (Refresh): wait until it has ended, or cancel it';
  const refusal = errorBody(inputError('run.going', '', message));
  const answers = { [`POST ${PATH}`]: () => Response.json(refusal, { status: 409 }) };
  showCertify(certificationStatus({}), { answers });
  await press('Certify this instrument');
  expect(await screen.findByText(message)).toBeTruthy();
});

test.each([
  ['certified', 'This instrument is certified', null],
  ['not-certified', 'This instrument is not certified', /Do not rely on/],
  ['busy', 'Undecided: the machine was too busy', /Wait until other work/],
] as const)('the answer %s is said with why, when, where and what to do', async (answer, title, advice) => {
  showCertify(certificationStatus({ last: lastCertification(answer, 'all counts are exact') }));
  const shown = await part('dynoCertification');
  expect(within(shown).getByText(title)).toBeTruthy();
  expect(shown.textContent).toContain('Why: all counts are exact.');
  expect(shown.textContent).toContain('bench (2 cores), Dyno 0.1.0.');
  expect(shown.querySelector('time[datetime="2026-11-22T21:50:10.000Z"]')).toBeTruthy();
  if (advice) expect(within(shown).getByText(advice)).toBeTruthy();
  expect(shown.textContent).not.toContain('so certify again');
});

test('each value is next to the true one, with marks that are explained', async () => {
  showCertify(certificationStatus({ last: lastCertification('not-certified', 'it is not') }));
  expect(
    await screen.findByRole('button', {
      name: 'Measured and true values: 1 right, 1 within the error that Dyno reports, 1 flagged, 1 wrong',
    }),
  ).toBeTruthy();
  expect([...document.querySelectorAll('thead th')].slice(-2).map(({ textContent }) => textContent)).toEqual([
    'p50, ms',
    'p99, ms',
  ]);
  const texts = [...document.querySelectorAll('tbody tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent.trim()),
  );
  expect(texts).toEqual([
    ['constant: 5 ms', '200', 'exact', 'latency', '5.1 of 5', '5.9 of 5.2 ~'],
    ['constant: 5 ms', '200', 'exact', 'service time', '9 of 5 ?', '9.4 of 5.2 !'],
  ]);
  expect(
    screen.getByText(
      /right within 1% or 0.3 ms; ~ the error is within.*; \? flagged by Dyno itself; ! wrong/,
    ),
  ).toBeTruthy();
});

test('percentiles are in their order, even if the first behaviours have too few values for some', async () => {
  const last = lastCertification('not-certified', 'it is not');
  const [one] = last.measured;
  const [figure] = one!.figures;
  const behaviour = (...keys: ('max' | 'p99_9')[]) => ({
    ...one!,
    figures: keys.map((key) => ({ ...figure!, key })),
  });
  const measured = [behaviour('max'), behaviour('p99_9', 'max')];
  showCertify(certificationStatus({ last: { ...last, measured } }));
  await part('dynoCertification');
  const names = [...document.querySelectorAll('thead th')].slice(-2).map(({ textContent }) => textContent);
  expect(names).toEqual(['p99.9, ms', 'max, ms']);
});

test('inexact counts are reported', async () => {
  const last = lastCertification('not-certified', 'it is not');
  const [one] = last.measured;
  const measured = [
    { ...one!, countsAreExact: false, said: { requests: 1500, accepted: 1497, rejected: 0 } },
  ];
  showCertify(certificationStatus({ last: { ...last, measured } }));
  expect(await screen.findAllByText('1,497 of 1,500 accepted !')).toHaveLength(2);
});

test('a result of another version of Dyno is marked', async () => {
  showCertify(certificationStatus({ dyno: '0.2.0', last: lastCertification('certified', 'it is') }));
  expect((await part('dynoCertification')).textContent).toContain(
    'Dyno has version 0.2.0 now, so certify again.',
  );
});

test('a run without a result shows the reason, and can be started again', async () => {
  showCertify(certificationStatus({ problem: 'the certification has no result: the target ended' }));
  expect(await screen.findByText('the certification has no result: the target ended')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Certify this instrument' })).toBeTruthy();
});
