import {
  startingEnvironments,
  checkStartingEnvironment,
  parseStartingEnvironment,
  writeStartingEnvironment,
} from './starting-environment';
import { environmentLabel, type Environment } from './environment';
import { makePlan } from './plan';
import { readDefinition } from './read';
import { resolveCells } from './resolved-cells';
import { blocksOf } from './environment-blocks';

const definition = (factors: unknown, more: object = {}): ReturnType<typeof readDefinition> =>
  readDefinition({
    version: 1,
    name: 'beginning',
    tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
    trials: 2,
    factors,
    ...more,
  });

const DISKS = { 'environment.disk': ['standard', 'premium', 'local'] };
const labels = (environments: readonly Environment[]): string[] => environments.map(environmentLabel);
const order = (factors: unknown, begins?: Environment): string[] => {
  const whole = definition(factors);
  return labels(blocksOf(makePlan(whole, begins)).map(({ environment }) => environment));
};

describe('the order of environments', () => {
  it('is that of the definition, unless another environment exists now, which then comes first', () => {
    expect(order(DISKS)).toEqual(['disk: standard', 'disk: premium', 'disk: local']);
    expect(order(DISKS, { disk: 'premium' })).toEqual(['disk: premium', 'disk: standard', 'disk: local']);
    expect(order(DISKS, { disk: 'standard' })).toEqual(order(DISKS));
  });

  it('numbers the trials in the order in which they run, and includes all of them', () => {
    const whole = definition({ 'index.settings.number_of_shards': [1, 2], ...DISKS });
    const { trials } = makePlan(whole, { disk: 'local' });
    expect(trials.map((trial) => trial.order)).toEqual(trials.map((_, at) => at));
    expect(trials.slice(0, 4).map(({ cell }) => cell)).toEqual([2, 5, 5, 2]);
    const done = (all: typeof trials): string[] => all.map((t) => `${t.cell}/${t.repetition}`).sort();
    expect(done(trials)).toEqual(done(makePlan(whole).trials));
  });

  it('keeps cells together that differ only in the nodes that Dyno starts', () => {
    const factors = { 'environment.nodes': [1, 2], 'environment.disk': ['standard', 'premium'] };
    expect(order(factors, { disk: 'premium' })).toEqual([
      'nodes: 1, disk: premium',
      'nodes: 2, disk: premium',
      'nodes: 1, disk: standard',
      'nodes: 2, disk: standard',
    ]);
  });

  it('takes the environment without additional labels if another one has more', () => {
    const factors = [
      { 'environment.disk': 'premium', 'environment.raid': 'yes' },
      { 'environment.disk': 'premium' },
    ];
    expect(order(factors, { disk: 'premium' })).toEqual(['disk: premium', 'disk: premium, raid: yes']);
    expect(checkStartingEnvironment(resolveCells(definition(factors)), { disk: 'premium' }, false)).toEqual(
      [],
    );
  });
});

describe('the environments to choose from', () => {
  const nodes = { 'environment.nodes': [1, 2], 'environment.disk': ['standard', 'premium'] };

  it('are all of them, or only their labels that Dyno does not set if it starts the clusters', () => {
    expect(labels(startingEnvironments(resolveCells(definition(nodes)), false))).toHaveLength(4);
    expect(labels(startingEnvironments(resolveCells(definition(nodes)), true))).toEqual([
      'disk: standard',
      'disk: premium',
    ]);
    expect(startingEnvironments(resolveCells(definition({ 'environment.nodes': [1, 2] })), true)).toEqual([
      {},
    ]);
  });

  it('do not include a later one without labels', () => {
    const factors = [{ 'environment.disk': 'premium' }, { 'index.settings.number_of_shards': 2 }];
    expect(startingEnvironments(resolveCells(definition(factors)), false)).toEqual([{ disk: 'premium' }]);
  });

  it.each([
    [{ disk: 'premium' }, true, /^$/],
    [{ disk: 'premium' }, false, /several environments match/],
    [{ nodes: '1', disk: 'premium' }, false, /^$/],
    [{ nodes: '1' }, true, /Dyno itself sets nodes here/],
    [{ disk: 'tape' }, false, /no such environment/],
    [{}, false, /^$/],
  ])('%p, clusters started by the host %p: %p', (begins: Environment, isStarted, message) => {
    const [problem] = checkStartingEnvironment(resolveCells(definition(nodes)), begins, isStarted);
    expect(problem?.message ?? '').toMatch(message);
  });

  it('are listed if the given one does not exist', () => {
    expect(checkStartingEnvironment(resolveCells(definition(DISKS)), { disk: 'tape' }, false)).toMatchObject([
      { found: 'disk: tape', allowed: 'disk: standard; disk: premium; disk: local' },
    ]);
  });

  it('need no label with the same value everywhere', () => {
    const whole = definition(DISKS, { environment: { machine: 'D4' } });
    expect(checkStartingEnvironment(resolveCells(whole), { disk: 'local' }, false)).toEqual([]);
    expect(checkStartingEnvironment(resolveCells(whole), { disk: 'local', machine: 'D4' }, false)).toEqual(
      [],
    );
  });
});

test('labels are written as name=value, and read back unchanged', () => {
  const begins = { disk: 'premium', note: 'a=b, c' };
  expect(parseStartingEnvironment(writeStartingEnvironment(begins))).toEqual(begins);
  expect(parseStartingEnvironment([' disk = premium '])).toEqual({ disk: 'premium' });
  for (const wrong of ['disk', '=premium', 'disk=', ''])
    expect(() => parseStartingEnvironment([wrong])).toThrow(/name=value/);
});

test.each(['pw:Hunter2', 'Hunter2', '{"password":"Hunter2"}'])(
  'a label without a value, %s, is refused without being shown',
  (wrong) => {
    expect(() => parseStartingEnvironment([wrong])).toThrow('[removed]');
    expect(() => parseStartingEnvironment([wrong])).not.toThrow('Hunter2');
  },
);
