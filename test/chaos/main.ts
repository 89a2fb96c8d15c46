/**
 * `npm run chaos`: runs of the built command, each with one fault at a random moment, until the time is over. Prints a table
 * of what became of them; one that went wrong prints its seed, with which it can be played again.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { deriveSeed } from '../../common/random';
import { startElasticsearch, type EmbeddedElasticsearch } from '../../server/standalone/elasticsearch/start';
import { carryOut, impossible, type Outcome } from './carry';
import { readScenarios } from './scenario';
import { carryOutInSeats, type Clusters } from './seats';

const OUTPUTS = path.join(process.cwd(), 'build/chaos');

const { values } = parseArgs({
  options: {
    /** How long; the run that goes on then is waited for. */
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    /** Only scenarios whose name has this. */
    only: { type: 'string', default: '' },
    /** At most so many runs. */
    runs: { type: 'string', default: 'Infinity' },
    /** Runs at a time, each on a cluster of its own: a run waits more than it works. */
    lanes: { type: 'string', default: '1' },
    /** URL of a cluster to hurt, in place of those that are started for it; for one lane. */
    elasticsearch: { type: 'string' },
    /** Likewise of one for the results of runs in seats, which must be another. */
    results: { type: 'string' },
  },
});

const seconds = Number(values.seconds);
const seed = Number(values.seed);
const most = Number(values.runs);
const lanes = Number(values.lanes);
if (!(seconds > 0) || !Number.isInteger(seed) || !(most > 0) || !Number.isInteger(lanes) || lanes < 1)
  throw new Error('usage: npm run chaos -- [--seconds 600] [--seed 1] [--only kill] [--runs 5] [--lanes 1]');
if (values.elasticsearch !== undefined && lanes > 1)
  throw new Error('--elasticsearch names one cluster, and each lane needs one of its own: leave out --lanes');

const all = readScenarios().filter(({ name }) => name.includes(values.only));
const scenarios = all.filter((scenario) => impossible(scenario) === undefined);
for (const scenario of all.filter((one) => impossible(one) !== undefined))
  console.log(`${scenario.name} is left out: ${impossible(scenario)}`);
if (scenarios.length === 0) throw new Error(`no scenario has "${values.only}" in its name`);

console.log(`seed ${seed}: the same seed plays the same faults at the same moments`);
const isInSeats = scenarios.some(({ seats }) => seats !== undefined);
const started: EmbeddedElasticsearch[] = [];

async function startCluster(): Promise<string> {
  const cluster = await startElasticsearch({
    ephemeral: true,
    heap: '512m',
    settings: { 'action.auto_create_index': true },
  });
  started.push(cluster);
  return cluster.url;
}

/** The clusters of a lane; with runs in seats two, for their results may not be kept in the target. */
async function clustersOfLane(): Promise<Clusters> {
  const target = values.elasticsearch ?? (await startCluster());
  return { target, results: isInSeats ? (values.results ?? (await startCluster())) : target };
}

const seconds1 = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
let isStopped = false;
process.once('SIGINT', () => (isStopped = true));

const outcomes: Outcome[] = [];
let until = 0;
mkdirSync(OUTPUTS, { recursive: true });
let begun = 0;

/** One run after the other on the same clusters, until the time is over. */
async function lane(clusters: Clusters): Promise<void> {
  while (Date.now() < until && begun < most && !isStopped) {
    const at = begun++;
    const scenario = scenarios[at % scenarios.length]!;
    // The first run has the seed itself, so that any run can be played again as the first of its own seed.
    const own = at === 0 ? seed : deriveSeed(seed, at);
    const outcome =
      scenario.seats === undefined
        ? await carryOut(scenario, clusters.target, own)
        : await carryOutInSeats(scenario, clusters, own);
    outcomes.push(outcome);
    const { name } = scenario;
    const state = outcome.wrong.length > 0 ? 'WRONG' : outcome.hit ? 'as it should be' : 'came too late';
    console.log(
      [
        name.padEnd(24),
        outcome.moment.padEnd(9),
        outcome.end.padEnd(24),
        `${outcome.seconds.toFixed(1)} s`.padStart(8),
        state,
        ...(outcome.wentOnMs === undefined ? [] : [`load for ${seconds1(outcome.wentOnMs)}`]),
      ].join('  '),
    );
    if (outcome.wrong.length === 0) continue;
    const file = path.join(OUTPUTS, `${name}-${own}.txt`);
    writeFileSync(file, `${outcome.wrong.join('\n')}\n\n${outcome.output}`);
    for (const wrong of outcome.wrong) console.log(`    ${wrong}`);
    console.log(`    again: npm run chaos -- --only ${name} --runs 1 --seed ${own}  (its output: ${file})`);
  }
}

try {
  const clusters = await Promise.all(Array.from({ length: lanes }, clustersOfLane));
  until = Date.now() + seconds * 1000;
  await Promise.all(clusters.map(lane));
} finally {
  await Promise.all(started.map((cluster) => cluster.stop()));
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
  const longest = Math.max(...own.map(({ wentOnMs }) => wentOnMs ?? -1));
  const wentOn = longest < 0 ? '' : `; the load went on for ${seconds1(longest)} at most`;
  console.log(
    `${name.padEnd(24)}${String(own.length).padStart(4)} runs${String(hits).padStart(5)} hit  ${wrong === 0 ? '' : `${wrong} WRONG  `}${shown}${wentOn}`,
  );
}
const hits = outcomes.filter(({ hit }) => hit).length;
const wrong = outcomes.filter((one) => one.wrong.length > 0).length;
console.log(`\n${outcomes.length} runs, ${hits} faults that met something, ${wrong} wrong`);
process.exitCode = wrong > 0 ? 1 : 0;
