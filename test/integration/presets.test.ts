/** Runs presets from their definition to their report: one for each published benchmark, or all of them (`npm run test:all`). */
import { PRESETS } from '../../common/presets';
import { needsYourFile, type Preset } from '../../common/presets/preset';
import { workplace } from './support/dyno';
import { sharedElasticsearch, withElasticsearch } from './support/elasticsearch';
import {
  EVERY_PRESET,
  expectPresetToReport,
  ON_ONE_NODE,
  ON_TWO_NODES,
  presetNamed,
} from './support/preset-report';
import { attributesFor, isOverNodes } from './support/smallest';

const place = workplace();

afterAll(() => place.remove());

// Some presets have sixty shards, which takes long on a busy machine.
jest.setTimeout(240_000);

/** Number of nodes of the cluster for presets that need several. */
const NODES = 3;

const named = (presets: readonly Preset[]): [name: string, preset: Preset][] =>
  presets.map((preset) => [preset.name, preset]);

test('`npm test` runs one preset of each published benchmark', () => {
  const accountOf = ({ published }: Preset): string => published.seed;
  const run = [...ON_ONE_NODE, ON_TWO_NODES].map((name) => accountOf(presetNamed(name)));
  expect(run.sort()).toEqual([...new Set(PRESETS.map(accountOf))].sort());
});

describe('on one node, complete with metrics of every cell', () => {
  const url = sharedElasticsearch();
  const onOne = PRESETS.filter((preset) => !isOverNodes(preset) && !needsYourFile(preset));

  it.each(named(EVERY_PRESET ? onOne : ON_ONE_NODE.map(presetNamed)))('%s', (_, preset) =>
    expectPresetToReport(place, preset, url()),
  );
});

if (EVERY_PRESET) {
  describe(`on a cluster of ${NODES} nodes, complete with metrics of every cell`, () => {
    const overNodes = PRESETS.filter(isOverNodes);
    const three = withElasticsearch({ nodes: NODES, nodeAttributes: attributesFor(overNodes, NODES) });

    it.each(named(overNodes))('%s', (_, preset) => expectPresetToReport(place, preset, three.url));
  });
}
