/**
 * Executes one short run for each fault, at a point of the run that the seed determines. `npm run chaos` does the same for any length of
 * time.
 */
import { createRandom, shuffled } from '../../common/random';
import { carryOut, impossible } from '../chaos/carry';
import { readScenarios } from '../chaos/scenario';
import { sharedElasticsearch } from './support/elasticsearch';

const url = sharedElasticsearch();
/** A fixed seed, so that every execution of the tests injects the faults at the same points. */
const SEED = 20;
/**
 * Maximum duration of a fault that is tested here, in s. Only `npm run chaos` tests longer faults, and faults while other processes
 * generate the load (this needs two clusters).
 */
const QUICK_S = 10;

/** Maximum number of scenarios, so that the tests do not take too long. */
const MOST = 20;

const possible = readScenarios().filter(
  (scenario) =>
    scenario.seats === undefined && scenario.seconds[1] < QUICK_S && impossible(scenario) === undefined,
);
const scenarios = shuffled(possible, createRandom(SEED)).slice(0, MOST);

it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
  'a run with the fault %s ends as allowed, says why, loses nothing and leaves nothing behind',
  async (_, scenario) => {
    const { wrong, output, moment } = await carryOut(scenario, { target: url(), results: url() }, SEED, true);
    // Violations come first, because Jest cuts the end of long outputs.
    expect(wrong.length === 0 ? [] : [...wrong, moment, output]).toEqual([]);
  },
);
