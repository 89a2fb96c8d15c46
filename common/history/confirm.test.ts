import { define, PROVENANCE } from '../analysis/testing/made-run';
import type { Definition } from '../experiment/definition';
import { readDefinitionText } from '../experiment/read';
import { resolveCells } from '../experiment/resolved-cells';
import type { Provenance } from '../experiment/run';
import { changeToConfirm, confirmationOf, type ConfirmParts } from './confirm';
import type { HistoryChange } from './history';
import { definitionOfCell, differencesOf, pairOf } from './pair';

const searches = (more: object = {}): Definition =>
  define({
    version: 1,
    name: 'searches',
    index: { settings: { number_of_shards: 1, refresh_interval: '1s' } },
    preload: { documents: 1000, source: { generator: 'systembase' } },
    tasks: [
      {
        name: 'search',
        search: { requests: [{ name: 'all', body: {} }] },
        executor: { 'constant-clients': { clients: 2 } },
      },
    ],
    factors: { 'index.settings.number_of_replicas': [0, 1] },
    measure: { warmup: '1s', duration: '10s' },
    trials: 4,
    schedule: 'every 24h',
    ...more,
  } as never);

const CELL = 'index.settings.number_of_replicas=1';

const ofCell = (definition: Definition): Definition => definitionOfCell(definition, CELL)!;

const other = (): Definition =>
  searches({
    index: { settings: { number_of_shards: 1, 'index.refresh_interval': '30s' } },
    tasks: [
      {
        name: 'search',
        search: { requests: [{ name: 'all', body: {} }] },
        executor: { 'constant-rate': { rate: 10 } },
      },
    ],
  });

const CHANGE: ConfirmParts['change'] = {
  metric: 'search.latency.p95',
  cell: CELL,
  label: 'number_of_replicas=1',
  from: 20,
  to: 24,
  ratio: 1.2,
  before: { run: 'run-1', at: '2026-11-19T02:00:00.000Z' },
  since: { run: 'run-2', at: '2026-11-20T02:00:00.000Z' },
  sentence: 'since 2026-11-20: search response time p95 +20%, worse',
};

const placed = (more: Partial<Provenance> = {}): Provenance => ({ ...PROVENANCE, ...more });

const confirm = (
  good: Definition,
  bad: Definition,
  {
    startsClusters = false,
    before = placed(),
    now = placed(),
    change = {},
  }: { startsClusters?: boolean; before?: Provenance; now?: Provenance; change?: object } = {},
) =>
  confirmationOf({
    change: { ...CHANGE, ...change },
    good: { definition: good, provenance: before },
    bad: { definition: bad, provenance: now },
    startsClusters,
  });

describe('what differs', () => {
  test('are the shortest paths of which each definition has a value', () => {
    expect(differencesOf(ofCell(searches()), ofCell(other()))).toEqual([
      { path: 'index.settings.refresh_interval', good: '1s', bad: '30s' },
      {
        path: 'tasks.search.executor',
        good: expect.objectContaining({
          'constant-clients': expect.objectContaining({ clients: 2 }),
        }) as unknown,
        bad: expect.objectContaining({ 'constant-rate': expect.objectContaining({ rate: 10 }) }) as unknown,
      },
    ]);
  });

  test('are an empty list if only texts, claims or the number of trials differ', () => {
    const words = searches({ name: 'other', hypothesis: 'x', trials: 9, margin: 0.1, tags: ['a'] });
    expect(differencesOf(ofCell(searches()), ofCell(words))).toEqual([]);
    expect(pairOf(ofCell(searches()), ofCell(words))).toBeNull();
  });

  test('include the default of a setting that one side lacks, and the parent of a key that one side lacks', () => {
    const without = searches({ index: { settings: { number_of_shards: 1 } }, measure: { documents: 500 } });
    expect(differencesOf(ofCell(searches()), ofCell(without))).toMatchObject([
      { path: 'index.settings.refresh_interval', good: '1s', bad: null },
      { path: 'measure', good: { duration: '10s' }, bad: { documents: 500 } },
    ]);
  });

  test('are the levels of the two cells, and what cannot vary is the same for both', () => {
    const good = ofCell(searches({ seed: 1 }));
    const bad = ofCell({ ...other(), seed: 2 });
    const pair = pairOf(good, bad)!;
    expect(pair).toMatchObject({
      factor: 'index.settings.refresh_interval',
      leftOut: ['seed'],
      changesEnvironment: false,
    });
    const cells = resolveCells(pair.definition).map(({ definition }) => definition);
    expect(cells.map(({ index }) => index.refreshMs)).toEqual([1000, 30_000]);
    expect(cells.map(({ tasks }) => Object.keys(tasks[0]!.executor))).toEqual([
      ['constant-clients'],
      ['constant-rate'],
    ]);
    expect(cells.map(({ index }) => index.replicas)).toEqual([1, 1]);
  });

  test('are named by the indices if only one side has the path', () => {
    const without = { ...ofCell(searches()), preload: undefined };
    const pair = pairOf(without, ofCell(searches()))!;
    expect(pair.factor).toBe('index.name');
    const cells = resolveCells(pair.definition).map(({ definition }) => definition);
    expect(cells.map(({ preload }) => preload?.documents)).toEqual([undefined, 1000]);
  });
});

test('a confirmation compares the changed cell before and since, with the changed metric as its claim', () => {
  const { text, sentence, notes } = confirm(searches(), other());
  expect(sentence).toMatch(
    /^run run-2 of 2026-11-20 against run run-1 of 2026-11-19: index\.settings\.refresh_interval 30s instead of 1s; tasks\.search\.executor /,
  );
  expect(notes).toEqual([]);
  const definition = readDefinitionText(text!, 'confirmation');
  expect(definition).toMatchObject({
    name: 'searches: confirm search.latency.p95 since 2026-11-20',
    expect: ['search.latency.p95 rises with index.settings.refresh_interval'],
    trials: { 'until-decided': { least: 3, most: 20 } },
    order: 'interleaved',
    measure: { warmup: '1s', duration: '10s' },
  });
  expect(definition.schedule).toBeUndefined();
  expect(resolveCells(definition).map(({ definition: own }) => own.index.replicas)).toEqual([1, 1]);
});

test('a version and a heap that Dyno sets are an environment, whose clusters run one after the other', () => {
  const now = placed({
    cluster: { ...PROVENANCE.cluster, version: '9.5.4' },
    nodes: PROVENANCE.nodes.map((node) => ({ ...node, heapBytes: 4 * 1024 ** 3 })),
  });
  const { text, notes } = confirm(searches(), searches(), { startsClusters: true, now });
  const definition = readDefinitionText(text!, 'confirmation');
  expect(resolveCells(definition).map(({ definition: own }) => own.environment)).toEqual([
    { version: '9.5.3', heap: '8192m' },
    { version: '9.5.4', heap: '4096m' },
  ]);
  expect(definition.trials).toBe(5);
  expect(notes).toEqual([expect.stringContaining('one after the other')]);
});

test('another engine is an environment with its version', () => {
  const now = placed({ cluster: { ...PROVENANCE.cluster, engine: 'opensearch', version: '3.6.0' } });
  const { text } = confirm(searches(), searches(), { startsClusters: true, now });
  const definition = readDefinitionText(text!, 'confirmation');
  expect(resolveCells(definition).map(({ definition: own }) => own.environment)).toEqual([
    { engine: 'elasticsearch', version: '9.5.3' },
    { engine: 'opensearch', version: '3.6.0' },
  ]);
});

test('two versions of OpenSearch are environments that name the engine', () => {
  const on = (version: string): Provenance =>
    placed({ cluster: { ...PROVENANCE.cluster, engine: 'opensearch', version } });
  const options = { startsClusters: true, before: on('3.5.0'), now: on('3.6.0') };
  const { text } = confirm(searches(), searches(), options);
  const definition = readDefinitionText(text!, 'confirmation');
  expect(resolveCells(definition).map(({ definition: own }) => own.environment)).toEqual([
    { engine: 'opensearch', version: '3.5.0' },
    { engine: 'opensearch', version: '3.6.0' },
  ]);
});

test('if only the place of a cluster differs that Dyno does not start, it says why the change cannot be repeated', () => {
  const now = placed({ cluster: { ...PROVENANCE.cluster, version: '9.5.4' } });
  const { text, sentence } = confirm(searches(), searches(), { now });
  expect(text).toBeNull();
  expect(sentence).toContain(
    'All differences are ones that Dyno cannot set here: Elasticsearch (9.5.3, then 9.5.4).',
  );
  expect(sentence).toContain('Dyno cannot change a cluster that it did not start');
});

test('if definition and place differ, a note names what cannot be measured', () => {
  const now = placed({ dyno: '0.2.0' });
  const { text, notes } = confirm(searches(), other(), { now });
  expect(text).not.toBeNull();
  expect(notes).toEqual([expect.stringContaining('Dyno (0.1.0, then 0.2.0)')]);
});

test('runs without a difference cannot be compared', () => {
  const { text, sentence } = confirm(searches(), searches());
  expect(text).toBeNull();
  expect(sentence).toContain('Run the experiment again');
});

test('a metric that was 0 has a fixed number of trials, because it has no ratio', () => {
  const { text } = confirm(searches(), other(), {
    change: { metric: 'search.rejection_rate', ratio: null, from: 0, to: 0.1 },
  });
  expect(readDefinitionText(text!, 'confirmation')).toMatchObject({
    trials: 5,
    expect: ['search.rejection_rate rises with index.settings.refresh_interval'],
  });
});

test('the change is the newest one for the worse, or the one that is named', () => {
  const change = (metric: string, kind: HistoryChange['kind'], at: string, isNewest = true): HistoryChange =>
    ({ ...CHANGE, metric, kind, since: { run: `run-${at}`, at }, isNewest }) as unknown as HistoryChange;
  const changes = [
    change('a', 'better', '2026-11-23'),
    change('b', 'worse', '2026-11-22', false),
    change('c', 'worse', '2026-11-21'),
  ];
  expect(changeToConfirm(changes, {})?.metric).toBe('c');
  expect(changeToConfirm(changes, { metric: 'b' })?.metric).toBe('b');
  expect(changeToConfirm(changes, { since: '2026-11-23' })?.metric).toBe('a');
  expect(changeToConfirm(changes, { metric: 'd' })).toBeUndefined();
});
