import { screen, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { useState, type ReactNode } from 'react';
import { firstClaim, levelsByFactor, tasksNamed } from '../../../../common/experiment/claim-choices';
import { metricNames, parseClaim, writtenClaim } from '../../../../common/measurement/condition';
import { writtenMetric } from '../../../../common/measurement/metric';
import { show } from '../../../testing/fake-host';
import { ClaimBuilder } from './claim-builder';

const TASKS = tasksNamed([
  { name: 'ingest', ingest: { source: { generator: 'systembase' } } },
  { name: 'look', search: { requests: [{ name: 'Newest ten', body: { size: 10 } }] } },
  { name: 'unfinished', search: {} },
]);
const FACTORS = levelsByFactor({
  'index.settings.refresh_interval': ['1s', '10s', '30s'],
  'index.settings.codec': ['default', 'best_compression'],
});

let text: string;
let user: UserEvent;
beforeEach(() => {
  user = userEvent.setup();
});

function OnText({ start }: { start: string }): ReactNode {
  const [now, setNow] = useState(start);
  text = now;
  return <ClaimBuilder text={now} tasks={TASKS} factors={FACTORS} disabled={false} onChange={setNow} />;
}

const choose = (label: string, option: string): Promise<void> =>
  user.selectOptions(screen.getByLabelText(label), option);

test('choices write a claim', async () => {
  show(<OnText start={firstClaim(TASKS, Object.keys(FACTORS))} />);
  expect(text).toBe('ingest.throughput rises with index.settings.refresh_interval');
  await choose('Task', 'look');
  await choose('Metric', 'latency.p99');
  expect(text).toBe('look.latency.p99 falls with index.settings.refresh_interval');
  await choose('By', 'at most');
  expect(text).toBe('look.latency.p99 falls with index.settings.refresh_interval by at most 10%');
  await user.type(screen.getByLabelText('Percent'), '5', {
    initialSelectionStart: 0,
    initialSelectionEnd: 9,
  });
  expect(text).toContain('by at most 5%');
  await choose('By', 'at least');
  expect(text).toContain('by at least 5%');
  await choose('To level', '10s');
  expect(text).toContain('with index.settings.refresh_interval from 1s to 10s by at least 5%');
  await choose('With factor', 'index.settings.codec');
  expect(text).toBe('look.latency.p99 falls with index.settings.codec by at least 5%');
  await choose('Direction', 'stays the same');
  expect(text).toBe('look.latency.p99 stays with index.settings.codec');
});

test('requests of a task, the indices and the cluster have their own metrics', async () => {
  show(<OnText start={firstClaim(TASKS, Object.keys(FACTORS))} />);
  await choose('Task', 'look.newest-ten');
  expect(parseClaim(text, TASKS)).toMatchObject({ metric: { task: 'look', request: 'newest-ten' } });
  await choose('Task', 'the indices');
  await choose('Metric', 'bytes_per_document');
  expect(text).toBe('index.bytes_per_document falls with index.settings.refresh_interval');
  await choose('Task', 'the cluster');
  expect(parseClaim(text, TASKS)).toMatchObject({ metric: { task: 'cluster' } });
});

test('an existing claim is shown unchanged, including metrics that are not offered', () => {
  show(
    <OnText start="index.field.message.bytes_per_document falls with index.settings.codec by at least 12.5%" />,
  );
  const parts = within(screen.getByRole('group', { name: 'Parts of the claim' }));
  const valueOf = (label: string): string => parts.getByLabelText<HTMLInputElement>(label).value;
  expect(['Task', 'Metric', 'Direction', 'With factor', 'Percent'].map(valueOf)).toEqual([
    'index',
    'field.message.bytes_per_document',
    'falls',
    'index.settings.codec',
    '12.5',
  ]);
});

test('a text that is not a claim is kept until a choice replaces it', async () => {
  show(<OnText start="it gets faster" />);
  expect(text).toBe('it gets faster');
  expect(screen.getAllByText(/it replaces the text/)).toHaveLength(1);
  await choose('Metric', 'latency.p50');
  expect(text).toBe('ingest.latency.p50 falls with index.settings.refresh_interval');
});

test('every offered metric can be used in a claim', () => {
  for (const metric of metricNames(TASKS)) {
    const parts = {
      metric,
      relation: 'rises',
      factor: 'index.settings.codec',
      range: null,
      atLeast: 0.07,
      atMost: null,
    } as const;
    const claim = parseClaim(writtenClaim(parts), TASKS);
    expect(claim).toMatchObject({ ...parts, metric: expect.anything() });
    expect('metric' in claim && writtenMetric(claim.metric)).toBe(metric);
  }
});

test('factors that are a list of cells offer the levels of their cells', () => {
  expect(levelsByFactor([{ a: 1, b: 2 }, { a: 3 }])).toEqual({ a: [1, 3], b: [2, undefined] });
  expect(levelsByFactor('nonsense')).toEqual({});
});
