import type { TaskPoint, Timeline } from '../../../common/api/timeline';
import { anyAbove, figureLines, unitsOf } from './task-lines';

const point = (at: number, rejected = 0): TaskPoint => ({
  at,
  throughput: 100,
  attempted: 100,
  rejected,
  failed: 0,
  unknown: 0,
  conflicted: 0,
  missing: 0,
  dropped: 0,
  redirected: 0,
  disregarded: 0,
  retried: 0,
  p50: 1,
  p90: 2,
  p99: null,
  max: 4,
  clients: 2,
  backlog: null,
});

const task = (
  name: string,
  unit = 'docs/s',
  points = [point(0), point(1000)],
): Timeline['tasks'][number] => ({
  task: name,
  unit,
  points,
  windows: { p50: 1, p90: 1, p99: 1 },
  overall: null,
});

const rejected = { id: 'rejected', name: 'rejected', colour: '#000', of: (at: TaskPoint) => at.rejected };

describe('lines of tasks', () => {
  it('have the name of the metric if there is one task', () =>
    expect(figureLines([task('ingest')], [rejected], 1000, []).map(({ name }) => name)).toEqual([
      'rejected',
    ]));

  it('have both names, and a pattern for each task, if there are several', () => {
    const lines = figureLines([task('ingest'), task('queries')], [rejected], 1000, []);
    expect(lines.map(({ name }) => name)).toEqual(['ingest rejected', 'queries rejected']);
    expect(lines[0]!.dash).not.toEqual(lines[1]!.dash);
    expect(new Set(lines.map(({ id }) => id)).size).toBe(2);
  });

  it('are interrupted at unknown values', () => {
    const [line] = figureLines([task('ingest')], [{ ...rejected, of: ({ p99 }) => p99 }], 1000, []);
    expect(line!.points).toEqual([
      [0, null],
      [1000, null],
    ]);
  });
});

it('units keep the order of their tasks, each once', () =>
  expect(unitsOf([task('a'), task('b', 'searches/s'), task('c')])).toEqual(['docs/s', 'searches/s']));

it('something was rejected only if a bucket says so', () => {
  expect(anyAbove([task('ingest')], rejected.of)).toBe(false);
  expect(anyAbove([task('ingest', 'docs/s', [point(0), point(1, 3)])], rejected.of)).toBe(true);
});
