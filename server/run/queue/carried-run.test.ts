import type { RunDocument } from '../../../common/experiment/run';
import { thisProcess } from '../../process-life';
import { aRun } from '../../results/testing/made-documents';
import { CarriedRun, type CarriedRunOptions } from './carried-run';

const OTHER = { host: 'elsewhere', pid: 7, instance: '7-7' };

/** Creates a run that this process executes. Reading the run returns its document with the changes `stored`. */
async function carried(stored: Partial<RunDocument['run']>): Promise<CarriedRun> {
  const document = aRun('r');
  document.run.carrier = thisProcess();
  const run = new CarriedRun({
    document,
    trials: [],
    cluster: 'u',
    refused: 'failed',
    attended: undefined,
    onDocuments: () => undefined,
    lease: { take: () => Promise.resolve() },
    actor: {
      writer: { saveRun: () => Promise.resolve(true) },
      reader: {
        getRun: () => Promise.resolve({ ...document, run: { ...document.run, ...stored } }),
      },
    },
  } as unknown as CarriedRunOptions);
  await run.results.saveRun(document);
  return run;
}

const marked = { by: OTHER, at: '2026-11-20T10:00:00.000Z' };

test.each<[string, Partial<RunDocument['run']>, boolean]>([
  ['that is running', { state: 'running' }, true],
  [
    'that was marked as interrupted while this process could not reach the results',
    { state: 'interrupted', marked },
    true,
  ],
  ['that was cancelled elsewhere', { state: 'cancelled' }, false],
  ['that another process has resumed', { state: 'running', carrier: OTHER }, false],
])('whether a run %s is ours: %j, %s', async (_, stored, isOurs) => {
  expect(await (await carried(stored)).isOurs()).toBe(isOurs);
});
