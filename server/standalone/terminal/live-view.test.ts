import type { Progress, SeatProgress, SeatSecond } from '../../../common/measurement/progress';
import { terminalView } from './live-view';

/** A fake terminal that keeps only the lines that were drawn last. */
function screen(): { stream: NodeJS.WriteStream; lines: () => string[] } {
  let text = '';
  const write = (more: string): boolean => {
    // Moves up this many lines and erases everything below.
    const up = more.startsWith('\u001b[') ? Number.parseInt(more.slice(2), 10) : null;
    if (up === null) text += more;
    else
      text = text
        .split('\n')
        .slice(0, -up - 1)
        .concat('')
        .join('\n');
    return true;
  };
  return { stream: { write, columns: 200 } as NodeJS.WriteStream, lines: () => text.trimEnd().split('\n') };
}

const progress = (seats: SeatProgress[] | undefined, doing?: string): Progress => ({
  runId: 'r',
  completed: 0,
  trials: 4,
  current: null,
  phase: 'preflight',
  ...(doing === undefined ? {} : { doing }),
  phaseMs: 3000,
  phaseLengthMs: null,
  measured: 0,
  remainingMs: 60_000,
  tasks: [],
  ...(seats === undefined ? {} : { seats }),
});

const free = (seat: number): SeatProgress => ({ seat, state: 'free', holder: null, second: null });
const taken = (
  seat: number,
  host: string,
  labels: string[],
  second: SeatSecond | null = null,
): SeatProgress => ({
  seat,
  state: second === null ? 'taken' : 'loading',
  holder: { host, pid: 70 + seat, cores: 8, labels, clockOffsetMs: null, clockErrorMs: null },
  second,
});
const second = (more: Partial<SeatSecond>): SeatSecond => ({
  requests: 10,
  documents: 1000,
  bytes: 0,
  lagMs: 0,
  late: false,
  utilisation: 0,
  busy: false,
  machine: null,
  part: 1,
  ...more,
});

const machinesLine = (lines: readonly string[]): string[] =>
  lines.filter((line) => line.startsWith('machines'));

test('one line lists the machines and is redrawn', () => {
  const { stream, lines } = screen();
  const view = terminalView(stream);
  view.onProgress(progress([free(0), free(1), free(2)], 'waits for 3 machines'));
  expect(machinesLine(lines())).toEqual(['machines: 0 of 3']);
  expect(lines()).toContain('waits for 3 machines 3s');
  view.onProgress(progress([taken(0, 'load-1', ['zone=a']), taken(1, 'load-2', []), free(2)]));
  expect(machinesLine(lines())).toEqual(['machines: 2 of 3 · 1 load-1 (zone=a) · 2 load-2']);
  view.onProgress(progress([taken(0, 'load-1', ['zone=a']), { ...taken(1, 'load-2', []), state: 'lost' }]));
  expect(machinesLine(lines())).toEqual(['machines: 1 of 2 · 1 load-1 (zone=a) · 2 lost']);
});

test('during the load, the line shows the rate of each machine and which ones are late or uneven', () => {
  const { stream, lines } = screen();
  terminalView(stream).onProgress(
    progress([
      taken(0, 'here', [], second({ part: 1.3 })),
      taken(1, 'here', ['zone=b'], second({ documents: null, lagMs: 45, late: true, part: 0.95 })),
    ]),
  );
  expect(machinesLine(lines())).toEqual([
    'machines: 2 of 2 · 1 here (process 70) 1,000/s 130% of an equal part · 2 here (process 71, zone=b) 10/s often late',
  ]);
});

test('shows no machines if this machine generates the load', () => {
  const { stream, lines } = screen();
  terminalView(stream).onProgress(progress(undefined));
  expect(machinesLine(lines())).toEqual([]);
});
