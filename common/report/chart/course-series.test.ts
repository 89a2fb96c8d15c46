import { refreshRun } from '../../analysis/testing/made-run';
import { buildReport } from '../model/build';
import { cellCourses, stepOf, throughputCourses } from './course-series';
import { timelineChart } from './timeline';

test('a line is the mean of a cell’s trials in the same seconds of their load', () => {
  const course = (cell: number, ...values: number[]) => ({
    cell,
    points: values.map((value, at) => ({ second: at - 1, value })),
  });
  expect(cellCourses([course(1, 4, 10), course(0, 7), course(1, 6, 20, 30), course(2)])).toEqual([
    { cell: 0, points: [{ second: -1, value: 7 }] },
    {
      cell: 1,
      points: [
        { second: -1, value: 5 },
        { second: 0, value: 15 },
        { second: 1, value: 30 },
      ],
    },
  ]);
});

test('the chart of a report draws each trial and the mean line of its cell, from the beginning of the measured phase', () => {
  const { run, trials, samples } = refreshRun({ withSamples: true });
  const report = buildReport(run, trials, { samples });
  const courses = throughputCourses(report, 'ingest');
  expect(courses).toHaveLength(trials.length);
  const lines = cellCourses(courses, stepOf(courses));
  const svg = timelineChart(report, 'ingest');
  const paths = [...svg.matchAll(/<path d="([^"]+)" class="series( single)?"/g)];
  const points = (path: string): number => path.split(/[ML]/).length - 1;
  expect(paths.filter(([, , single]) => single).map(([, path]) => points(path!))).toEqual(
    [0, 1, 2].flatMap((cell) =>
      courses.filter((course) => course.cell === cell).map((course) => course.points.length),
    ),
  );
  expect(paths.filter(([, , single]) => !single).map(([, path]) => points(path!))).toEqual(
    lines.map((line) => line.points.length),
  );
});

test('a trial that was never measured has no line', () => {
  const { run, trials, samples } = refreshRun({ withSamples: true });
  const warmup = samples.map((sample) => ({ ...sample, phase: 'warm-up' as const }));
  const report = buildReport(run, trials, { samples: warmup });
  expect(throughputCourses(report, 'ingest')).toEqual([]);
  expect(timelineChart(report, 'ingest')).toBe('');
});
