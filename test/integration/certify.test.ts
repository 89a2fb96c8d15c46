/** The generator against a target of known behaviour in short, judged on what a machine with other work on it permits. */
import path from 'node:path';
import { build } from 'esbuild';
import { certify } from '../../server/certify/certify';
import { countsAreExact, judgeFigure } from '../../server/certify/verdict';
import { buildWorker, WORKER } from './support/load';

/** Far fewer than a certification has: the percentiles behind which too few stand are left out. */
const MEASURE_MS = 1500;

const TARGET = path.join(path.dirname(WORKER), 'certify-target.mjs');

beforeAll(async () => {
  await buildWorker();
  await build({
    entryPoints: [path.resolve('server/certify/target-process.ts')],
    outfile: TARGET,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  });
});

test('counts are exact, and no figure is far from the truth without being doubted', async () => {
  const { measurements, certification } = await certify({
    workerFile: WORKER,
    targetFile: TARGET,
    version: 'test',
    measureMs: MEASURE_MS,
    only: (behaviour, perSecond) => perSecond === 200 && ['rejecting', 'dropping'].includes(behaviour),
  });
  expect(measurements.map(({ behaviour }) => behaviour)).toEqual(['rejecting', 'dropping']);
  for (const measurement of measurements) {
    expect(countsAreExact(measurement)).toBe(true);
    expect(measurement.truth.requests).toBeGreaterThan(100);
    // What reports say that the instrument may have added stands beside the figure: that does not mislead.
    const misleading = measurement.figures.filter(
      (figure) =>
        judgeFigure(figure) === 'wrong' &&
        Math.abs(figure.said - figure.truth) - (figure.ownMs ?? 0) > 0.1 * figure.truth,
    );
    expect(misleading).toEqual([]);
    // Two kinds of time, of each at least a median, p90, p99 and the longest.
    expect(measurement.figures.length).toBeGreaterThanOrEqual(6);
  }
  expect(['certified', 'busy', 'not-certified']).toContain(certification.answer);
});
