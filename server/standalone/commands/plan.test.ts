import { makePlan } from '../../../common/experiment/plan';
import { readDefinition } from '../../../common/experiment/read';
import { clusterSentences } from './plan';

const sentences = (environment: object): string[] => {
  const definition = readDefinition({
    version: 1,
    name: 'clusters',
    tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
    environment,
  });
  return clusterSentences(makePlan(definition));
};

describe('what is said before a run of the embedded Elasticsearch as the target', () => {
  it('is nothing where it is asked for nothing', () => {
    expect(sentences({ disk: 'premium' })).toEqual([]);
  });

  it('is what it sets', () => {
    expect(sentences({ nodes: 3 })).toEqual([expect.stringMatching(/sets nodes by itself \(1 cluster/)]);
  });

  it('is a warning where it would refuse the run, though the definition is valid for other targets', () => {
    const [warning, ...others] = sentences({ nodes: 'many' });
    expect(others).toEqual([]);
    expect(warning).toMatch(/^Warning: the embedded Elasticsearch as the target would refuse this/);
    expect(warning).toMatch(/environment\.nodes.*found many; allowed: a whole number/);
  });
});
