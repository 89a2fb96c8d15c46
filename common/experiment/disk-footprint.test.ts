import { footprintsOf } from './disk-footprint';
import { makePlan } from './plan';
import { readDefinition } from './read';

const DOCUMENT = 445;

/**
 * Returns which datasets and trials are on disk at the same time: one element for each such combination, with their sizes in thousands of
 * documents.
 */
function footprints(preload: object, more: object): { datasets: number[]; trials: number[] }[] {
  const definition = readDefinition({
    version: 1,
    name: 'test',
    index: { settings: { number_of_replicas: 0 } },
    preload: { documents: 1000, source: { generator: 'systembase' }, ...preload },
    tasks: [{ name: 'search', search: { requests: [{ name: 'all', body: {} }] } }],
    factors: { 'index.settings.number_of_shards': [1, 2] },
    ...more,
  });
  const thousands = ({ bytes }: { bytes: number }): number => bytes / DOCUMENT / 1000;
  return footprintsOf(definition, makePlan(definition), () => 5000 * DOCUMENT).map(
    ({ datasets, trials }) => ({
      datasets: datasets.map(thousands),
      trials: trials.map(thousands),
    }),
  );
}

describe('the data on disk at one time', () => {
  it('is one trial with its own preload', () => {
    expect(footprints({ reuse: 'never' }, {})).toEqual([
      { datasets: [], trials: [6] },
      { datasets: [], trials: [6] },
    ]);
  });

  it('is all shared datasets and the largest trial', () => {
    expect(footprints({ reuse: 'copy' }, {})).toEqual([{ datasets: [1, 1], trials: [5, 5] }]);
    expect(footprints({ reuse: 'same' }, {})).toEqual([{ datasets: [1, 1], trials: [5, 5] }]);
  });

  it('is one dataset in a sequential order', () => {
    expect(footprints({ reuse: 'copy' }, { order: 'sequential' })).toEqual([
      { datasets: [1], trials: [5] },
      { datasets: [1], trials: [5] },
    ]);
  });

  it('includes the clone of a trial if it has replicas', () => {
    const index = { settings: { number_of_replicas: 1 } };
    expect(footprints({ reuse: 'copy' }, { index })).toEqual([{ datasets: [1, 1], trials: [6, 6] }]);
  });
});
