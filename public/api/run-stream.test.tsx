import { screen } from '@testing-library/react';
import { LiveBadge } from '../pages/run/live-badge';
import { show } from '../testing/fake-host';
import { listen } from './run-stream';

/** Simulates a browser's event source. The test triggers its events. */
class FakeSource {
  static readonly CLOSED = 2;
  static all: FakeSource[] = [];
  readyState = 1;
  onopen: () => void = () => undefined;
  onerror: () => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;

  constructor() {
    FakeSource.all.push(this);
  }

  close(): void {
    this.readyState = FakeSource.CLOSED;
  }
}

const opened = (): number => FakeSource.all.length;
const newest = (): FakeSource => FakeSource.all.at(-1)!;

/** Listens to a stream. `open` records whether the stream was open after each change of its state. `end` stops listening. */
function listening(): { open: boolean[]; end: () => void } {
  const open: boolean[] = [];
  const end = listen('/stream', { onState: (now) => open.push(now), onEvent: (text) => text === 'end' });
  return { open, end };
}

describe('the stream of a run', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    FakeSource.all = [];
    window.EventSource = FakeSource as unknown as typeof EventSource;
  });
  afterEach(() => jest.useRealTimers());

  test('is opened again if the host refused it, which a browser does not do itself', () => {
    const { open, end } = listening();
    newest().onopen();
    newest().readyState = FakeSource.CLOSED;
    newest().onerror();
    expect([open, opened()]).toEqual([[true, false], 1]);
    jest.advanceTimersByTime(2000);
    newest().onopen();
    expect([open, opened()]).toEqual([[true, false, true], 2]);
    end();
  });

  test('is left to the browser if it was interrupted', () => {
    const { end } = listening();
    newest().readyState = 0;
    newest().onerror();
    jest.advanceTimersByTime(10_000);
    expect(opened()).toBe(1);
    end();
  });

  test('is opened again after half a minute without events, and not while there are events', () => {
    const { end } = listening();
    for (let s = 0; s < 60; s += 20) {
      newest().onmessage({ data: '{}' });
      jest.advanceTimersByTime(20_000);
    }
    expect(opened()).toBe(1);
    const dead = newest();
    jest.advanceTimersByTime(10_000);
    expect([opened(), dead.readyState]).toEqual([2, FakeSource.CLOSED]);
    end();
  });

  test('is not opened again after the last event', () => {
    listening();
    newest().onmessage({ data: 'end' });
    jest.advanceTimersByTime(120_000);
    expect([opened(), newest().readyState]).toEqual([1, FakeSource.CLOSED]);
  });
});

test('a page is live while it receives events of the run, and otherwise shows since when it received none', () => {
  const { unmount } = show(<LiveBadge updatedAt={Date.now() - 2000} away={false} />);
  expect(screen.getByText('live')).toBeTruthy();
  unmount();
  for (const [ago, away] of [
    [2000, true],
    [60_000, false],
  ] as const) {
    const shown = show(<LiveBadge updatedAt={Date.now() - ago} away={away} />);
    expect(screen.queryByText('live')).toBeNull();
    expect(screen.getByText(/^reconnecting: no data since \d/)).toBeTruthy();
    shown.unmount();
  }
});
