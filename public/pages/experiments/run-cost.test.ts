import { whatToAsk } from './run-cost';

const text = (more: string): string => `version: 1
name: Disks
tasks:
  - name: ingest
    ingest: { source: { generator: systembase } }
trials: 1
measure: { duration: 10s, warmup: 0s }
${more}
`;

const DISKS = 'factors: { environment.nodes: [1, 2], environment.disk: [standard, premium] }';

describe('what is asked before a run starts', () => {
  it('is nothing where it is short and nobody must change anything', () => {
    expect(whatToAsk(text(''), 'local')).toBeNull();
    expect(whatToAsk(text('factors: { environment.nodes: [1, 2] }'), 'local')).toBeNull();
    expect(whatToAsk('no: definition', 'local')).toBeNull();
  });

  it('is whether it may take that long', () => {
    const asked = whatToAsk(text('').replace('10s', '3h'), 'local')!;
    expect(asked).toMatchObject({ name: 'Disks', target: 'local', beginnings: [{}] });
    expect(asked.costFrom({}).environments).toEqual(['']);
  });

  it('is which environment stands now, and what is waited for afterwards follows the answer', () => {
    const asked = whatToAsk(text(DISKS), null)!;
    expect(asked.beginnings).toHaveLength(4);
    expect(asked.costFrom(asked.beginnings[2]!).environments).toEqual([
      'nodes: 2, disk: standard',
      'nodes: 1, disk: standard',
      'nodes: 1, disk: premium',
      'nodes: 2, disk: premium',
    ]);
  });

  it('is only what the host does not set by itself', () => {
    const asked = whatToAsk(text(DISKS), 'local')!;
    expect(asked.beginnings).toEqual([{ disk: 'standard' }, { disk: 'premium' }]);
    const { environments, clusters } = asked.costFrom({ disk: 'premium' });
    expect(environments.slice(1)).toEqual(['disk: standard']);
    expect(clusters).not.toBeNull();
  });
});
