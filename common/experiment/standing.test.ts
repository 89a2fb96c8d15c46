import { makePlan } from './plan';
import { readDefinition } from './read';
import { standingOf } from './standing';

const DOCUMENT = 445;

/** Of each alternative: what its datasets hold, and what its trials do; thousands of documents. */
function standing(preload: object, more: object): { datasets: number[]; trials: number[] }[] {
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
  return standingOf(definition, makePlan(definition), () => 5000 * DOCUMENT).map(({ datasets, trials }) => ({
    datasets: datasets.map(thousands),
    trials: trials.map(thousands),
  }));
}

describe('what stands in the cluster at a time', () => {
  it('is one trial with what is loaded for it alone', () => {
    expect(standing({ reuse: 'never' }, {})).toEqual([
      { datasets: [], trials: [6] },
      { datasets: [], trials: [6] },
    ]);
  });

  it('is all that is loaded once for several trials, and what the largest trial adds', () => {
    expect(standing({ reuse: 'copy' }, {})).toEqual([{ datasets: [1, 1], trials: [5, 5] }]);
    expect(standing({ reuse: 'same' }, {})).toEqual([{ datasets: [1, 1], trials: [5, 5] }]);
  });

  it('is one dataset at a time where the cells come one after the other', () => {
    expect(standing({ reuse: 'copy' }, { order: 'sequential' })).toEqual([
      { datasets: [1], trials: [5] },
      { datasets: [1], trials: [5] },
    ]);
  });

  it('has the copy of a trial too where its replicas are sent over', () => {
    const index = { settings: { number_of_replicas: 1 } };
    expect(standing({ reuse: 'copy' }, { index })).toEqual([{ datasets: [1, 1], trials: [6, 6] }]);
  });
});
