import { screen } from '@testing-library/react';
import { show } from '../../testing/fake-host';
import { TimeAxisProvider, type Phase, type TimeAxis } from './axis';
import { SharedCursor } from './cursor';
import { Legend } from './legend';
import type { Line } from './lines';
import { TrialStrip } from './trial-strip';

const phase = (name: Phase['phase'], from: number, to: number): Phase => ({
  trial: 't1',
  order: 0,
  label: 'index.settings.refresh_interval=30s',
  level: '30s',
  phase: name,
  from,
  to,
});

const axis = (hasEnded: boolean): TimeAxis => ({
  from: 0,
  to: 4000,
  bucketMs: 1000,
  phases: [phase('warm-up', 0, 1000), phase('measure', 1000, 3000), phase('drain', 3000, 4000)],
  hasEnded,
  onZoom: () => undefined,
});

const line = (overall?: number | null): Line => ({
  id: 'ingest',
  name: 'ingest',
  colour: '#000000',
  points: [
    [0, 900],
    [1000, 100],
    [2000, 200],
    [3000, 3],
  ],
  ...(overall === undefined ? {} : { overall }),
});

function legendOf(hasEnded: boolean, overall?: number | null): string {
  const { unmount } = show(
    <TimeAxisProvider value={axis(hasEnded)}>
      <SharedCursor>
        <Legend
          lines={[line(overall)]}
          hidden={new Set()}
          format={(value) => `${value} docs/s`}
          onToggle={() => undefined}
        />
      </SharedCursor>
    </TimeAxisProvider>,
  );
  const text = screen.getByRole('button').textContent ?? '';
  const meaning = document.querySelector('[data-test-subj=dynoLegendMeaning]')?.textContent ?? '';
  unmount();
  return `${meaning} ${text}`.trim();
}

test('the legend of an ended run shows means, and that of a live run its last value', () => {
  expect(legendOf(true)).toBe('mean while measured: ingest150 docs/s');
  expect(legendOf(false)).toBe('ingest3 docs/s');
});

test('a percentile is summarised by that of all requests, or not at all if that is unknown', () => {
  expect(legendOf(true, 42)).toContain('ingest42 docs/s');
  expect(legendOf(true, null)).toContain('ingest–');
});

test('a block of the strip begins with the level of its cell, and names the whole factor in its title', () => {
  show(
    <TimeAxisProvider value={axis(true)}>
      <SharedCursor>
        <TrialStrip selected="" onSelect={() => undefined} />
      </SharedCursor>
    </TimeAxisProvider>,
  );
  const block = document.querySelector('button')!;
  expect(block.textContent).toMatch(/^30s/);
  expect(block.title).toBe('index.settings.refresh_interval=30s, trial 1');
});
