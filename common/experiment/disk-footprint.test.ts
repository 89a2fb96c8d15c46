import { footprintsOf } from './disk-footprint';
import { makePlan } from './plan';
import { readDefinition } from './read';

const DOCUMENT = 445;

/** Of each alternative: what its datasets hold, and what its trials do; thousands of documents. */
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

describe('what is on disk in the cluster at one time', () => {
  it('is one trial with what is loaded for it alone', () => {
    expect(footprints({ reuse: 'never' }, {})).toEqual([
      { datasets: [], trials: [6] },
      { datasets: [], trials: [6] },
    ]);
  });

  it('is all that is loaded once for several trials, and what the largest trial adds', () => {
    expect(footprints({ reuse: 'copy' }, {})).toEqual([{ datasets: [1, 1], trials: [5, 5] }]);
    expect(footprints({ reuse: 'same' }, {})).toEqual([{ datasets: [1, 1], trials: [5, 5] }]);
  });

  it('is one dataset at a time where the cells come one after the other', () => {
    expect(footprints({ reuse: 'copy' }, { order: 'sequential' })).toEqual([
      { datasets: [1], trials: [5] },
      { datasets: [1], trials: [5] },
    ]);
  });

  it('has the copy of a trial too where its replicas are sent over', () => {
    const index = { settings: { number_of_replicas: 1 } };
    expect(footprints({ reuse: 'copy' }, { index })).toEqual([{ datasets: [1, 1], trials: [6, 6] }]);
  });
});
