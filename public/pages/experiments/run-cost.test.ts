import type { KnownTarget } from '../../../common/analysis/cannot-show';
import { whatToAsk } from './run-cost';

const EMBEDDED: KnownTarget = { startsClusters: true, dataNodes: 1 };
const OTHER: KnownTarget = { startsClusters: false, dataNodes: null };

const text = (more: string): string => `version: 1
name: Disks
tasks:
  - name: ingest
    ingest: { source: { generator: systembase } }
index: { settings: { number_of_replicas: 0 } }
trials: 1
measure: { duration: 10s, warmup: 0s }
${more}
`;

const DISKS = 'factors: { environment.nodes: [1, 2], environment.disk: [standard, premium] }';

describe('the questions before a run starts', () => {
  it('are omitted for a short run that needs no change', () => {
    expect(whatToAsk(text(''), EMBEDDED)).toBeNull();
    expect(whatToAsk(text('environment: { nodes: 2 }'), EMBEDDED)).toBeNull();
    expect(whatToAsk('no: definition', EMBEDDED)).toBeNull();
  });

  it('include a long duration', () => {
    const asked = whatToAsk(text('').replace('10s', '3h'), EMBEDDED)!;
    expect(asked).toMatchObject({ name: 'Disks', target: 'local', beginnings: [{}] });
    expect(asked.costFrom({}).environments).toEqual(['']);
  });

  it('include the current environment, and the time after it depends on the answer', () => {
    const asked = whatToAsk(text(DISKS), OTHER)!;
    expect(asked.beginnings).toHaveLength(4);
    expect(asked.costFrom(asked.beginnings[2]!).environments).toEqual([
      'nodes: 2, disk: standard',
      'nodes: 1, disk: standard',
      'nodes: 1, disk: premium',
      'nodes: 2, disk: premium',
    ]);
  });

  it('include only settings that the host does not change itself', () => {
    const asked = whatToAsk(text(DISKS), EMBEDDED)!;
    expect(asked.beginnings).toEqual([{ disk: 'standard' }, { disk: 'premium' }]);
    const { environments, clusters } = asked.costFrom({ disk: 'premium' });
    expect(environments.slice(1)).toEqual(['disk: standard']);
    expect(clusters).not.toBeNull();
  });

  it('include whether to run anyway if the target cannot show its environment', () => {
    const asked = whatToAsk(text('factors: { index.settings.number_of_replicas: [0, 1] }'), EMBEDDED)!;
    expect(asked.hiddenFrom({})).toEqual([
      expect.objectContaining({
        what: expect.stringMatching(/^1 replica of a shard needs 2 data nodes/) as string,
      }),
    ]);
    expect(whatToAsk(text('factors: { index.settings.number_of_replicas: [0, 1] }'), OTHER)).toBeNull();
  });
});
