/** Runs a short certification of the load generator. Its criteria also hold on a busy machine. */
import path from 'node:path';
import { build } from 'esbuild';
import { certify } from '../../server/certify/certify';
import { countsAreExact, judgeFigure } from '../../server/certify/verdict';
import { buildWorker, WORKER } from './support/load';

/**
 * Length of a measurement, in ms. It is much shorter than in a real certification. Percentiles for which there are too few requests are
 * left out.
 */
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

test('counts are exact, and no metric is far from the truth without a warning', async () => {
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
    // Reports show how much overhead the load generator may have added. A metric whose error is within this overhead is not misleading.
    const misleading = measurement.figures.filter(
      (figure) =>
        judgeFigure(figure) === 'wrong' &&
        Math.abs(figure.said - figure.truth) - (figure.ownMs ?? 0) > 0.1 * figure.truth,
    );
    expect(misleading).toEqual([]);
    // At least three percentiles for each of service time and latency.
    expect(measurement.figures.length).toBeGreaterThanOrEqual(6);
  }
  expect(['certified', 'busy', 'not-certified']).toContain(certification.answer);
});
