/** One short run for each fault, at a moment that the seed chooses; `npm run chaos` plays them for as long as one likes. */
import { createRandom, shuffled } from '../../common/random';
import { carryOut, impossible } from '../chaos/carry';
import { readScenarios } from '../chaos/scenario';
import { sharedElasticsearch } from './support/elasticsearch';

const url = sharedElasticsearch();
/** Any other is as good; with one of its own, each run of the tests would look at other moments. */
const SEED = 20;
/** Those of half a minute and more, and those in seats, which need two clusters, are left to `npm run chaos`. */
const QUICK_S = 10;

/** Of a person who waits for the tests. */
const MOST = 20;

const possible = readScenarios().filter(
  (scenario) =>
    scenario.seats === undefined && scenario.seconds[1] < QUICK_S && impossible(scenario) === undefined,
);
const scenarios = shuffled(possible, createRandom(SEED)).slice(0, MOST);

it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
  'a run that meets %s ends as it may, says why, loses nothing and leaves nothing',
  async (_, scenario) => {
    const { wrong, output, moment } = await carryOut(scenario, url(), SEED, true);
    // What is wrong stands first, for reports are cut at their end.
    expect(wrong.length === 0 ? [] : [...wrong, moment, output]).toEqual([]);
  },
);
