/**
 * `npm run chaos`: executes runs of the built command for `--seconds`, each with one fault at a random point. Prints a table of how the
 * runs ended. For a run that went wrong, also prints a command that repeats this run. `--engine` selects Elasticsearch or OpenSearch as the
 * target.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ENGINES } from '../../common/elasticsearch/engine';
import { deriveSeed } from '../../common/random';
import { carryOut, impossible, type Outcome } from './carry';
import { clustersOfLane, describeClusters, stopClusters, type Clusters } from './clusters';
import { readScenarios, type Scenario } from './scenario';
import { carryOutInSeats } from './seats';

const OUTPUTS = path.join(process.cwd(), 'build/chaos');

const { values } = parseArgs({
  options: {
    /** Time in s during which runs are started. The last run may end later. */
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    /** Engine of the target. The results are always stored in Elasticsearch. */
    engine: { type: 'string', default: 'elasticsearch' },
    /**
     * Names of scenarios, separated by commas, to execute only these scenarios. A text that is not the complete name of a scenario selects
     * all scenarios whose names contain the text.
     */
    only: { type: 'string', default: '' },
    /** Maximum number of runs. */
    runs: { type: 'string', default: 'Infinity' },
    /** Number of parallel runs, each on its own clusters. Runs mostly wait. Therefore, several can be executed at a time. */
    lanes: { type: 'string', default: '1' },
    /**
     * URL of an existing target. Without it, targets are started. The engine of the target must be that of `--engine`. Not allowed with
     * parallel runs.
     */
    elasticsearch: { type: 'string' },
    /**
     * URL of an existing Elasticsearch for results. Used only if the results are not stored in the target: for runs on OpenSearch, and for
     * runs whose load other processes generate.
     */
    results: { type: 'string' },
  },
});

const seconds = Number(values.seconds);
const seed = Number(values.seed);
const most = Number(values.runs);
const lanes = Number(values.lanes);
const engine = ENGINES.find((name) => name === values.engine);
if (
  !(seconds > 0) ||
  !Number.isInteger(seed) ||
  !(most > 0) ||
  !Number.isInteger(lanes) ||
  lanes < 1 ||
  engine === undefined
)
  throw new Error(
    `usage: npm run chaos -- [--seconds 600] [--seed 1] [--only kill] [--runs 5] [--lanes 1] [--engine ${ENGINES.join('|')}]`,
  );
if ((values.elasticsearch ?? values.results) !== undefined && lanes > 1)
  throw new Error(
    '--elasticsearch and --results name one cluster, but each lane needs its own: remove --lanes',
  );

const every = readScenarios();
const wanted = values.only.split(',').map((name) => {
  const isExact = every.some((one) => one.name === name);
  return (own: string): boolean => (isExact ? own === name : own.includes(name));
});
const all = every.filter(({ name }) => wanted.some((isWanted) => isWanted(name)));
const scenarios = all.filter((scenario) => impossible(scenario) === undefined);
for (const scenario of all.filter((one) => impossible(one) !== undefined))
  console.log(`${scenario.name} is skipped: ${impossible(scenario)}`);
if (scenarios.length === 0) throw new Error(`no scenario has a name with "${values.only}"`);

console.log(`seed ${seed}: the same seed injects the same faults at the same moments`);
const clusterOptions = {
  engine,
  target: values.elasticsearch,
  results: values.results,
  isInSeats: scenarios.some(({ seats }) => seats !== undefined),
};

/**
 * Executes one run with a fault. `own`: seed that determines when the fault occurs and how long it lasts. If the target is Elasticsearch,
 * it also stores the results, unless separate processes generate the load.
 */
async function carry(scenario: Scenario, clusters: Clusters, own: number): Promise<Outcome> {
  if (scenario.seats !== undefined) return await carryOutInSeats(scenario, clusters, own);
  const { target } = clusters;
  return await carryOut(scenario, engine === 'elasticsearch' ? { target, results: target } : clusters, own);
}

const seconds1 = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
let isStopped = false;
process.once('SIGINT', () => (isStopped = true));

const outcomes: Outcome[] = [];
let until = 0;
mkdirSync(OUTPUTS, { recursive: true });
let begun = 0;

/** Executes runs one after the other on the same clusters, until the time of `--seconds` is over. */
async function lane(clusters: Clusters): Promise<void> {
  while (Date.now() < until && begun < most && !isStopped) {
    const at = begun++;
    const scenario = scenarios[at % scenarios.length]!;
    // The first run uses the seed itself. So any run can be repeated by passing its own seed.
    const own = at === 0 ? seed : deriveSeed(seed, at);
    const outcome = await carry(scenario, clusters, own);
    outcomes.push(outcome);
    const { name } = scenario;
    const state = outcome.wrong.length > 0 ? 'WRONG' : outcome.hit ? 'as allowed' : 'too late';
    console.log(
      [
        name.padEnd(24),
        outcome.moment.padEnd(9),
        outcome.end.padEnd(24),
        `${outcome.seconds.toFixed(1)} s`.padStart(8),
        state,
        ...(outcome.continuedMs === undefined ? [] : [`load for ${seconds1(outcome.continuedMs)}`]),
      ].join('  '),
    );
    if (outcome.wrong.length === 0) continue;
    const file = path.join(OUTPUTS, `${name}-${own}.txt`);
    writeFileSync(file, `${outcome.wrong.join('\n')}\n\n${outcome.output}`);
    for (const wrong of outcome.wrong) console.log(`    ${wrong}`);
    console.log(
      `    to repeat: npm run chaos -- --engine ${engine} --only ${name} --runs 1 --seed ${own}  (its output: ${file})`,
    );
  }
}

try {
  const clusters = await Promise.all(Array.from({ length: lanes }, () => clustersOfLane(clusterOptions)));
  console.log(await describeClusters(clusters[0]!, engine));
  until = Date.now() + seconds * 1000;
  await Promise.all(clusters.map(lane));
} finally {
  await stopClusters();
}

console.log('');
for (const { name } of scenarios) {
  const own = outcomes.filter(({ scenario }) => scenario === name);
  if (own.length === 0) continue;
  const ends = new Map<string, number>();
  for (const { end } of own) ends.set(end, (ends.get(end) ?? 0) + 1);
  const shown = [...ends].map(([end, count]) => `${count} ${end}`).join(', ');
  const wrong = own.filter((one) => one.wrong.length > 0).length;
  const hits = own.filter(({ hit }) => hit).length;
  const longest = Math.max(...own.map(({ continuedMs }) => continuedMs ?? -1));
  const continued = longest < 0 ? '' : `; the load continued for at most ${seconds1(longest)}`;
  console.log(
    `${name.padEnd(24)}${String(own.length).padStart(4)} runs${String(hits).padStart(5)} hit  ${wrong === 0 ? '' : `${wrong} WRONG  `}${shown}${continued}`,
  );
}
const unreached = scenarios.filter(({ name }) => outcomes.every(({ scenario }) => scenario !== name));
if (unreached.length > 0)
  console.log(
    `\nnot reached: ${unreached.map(({ name }) => name).join(', ')}; increase --seconds or --lanes`,
  );
const hits = outcomes.filter(({ hit }) => hit).length;
const wrong = outcomes.filter((one) => one.wrong.length > 0).length;
console.log(`\n${outcomes.length} runs, ${hits} faults that had an effect, ${wrong} wrong`);
process.exitCode = wrong > 0 ? 1 : 0;
