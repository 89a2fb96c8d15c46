import { totalmem } from 'node:os';

// Time budgets for the parts of `npm test`, in seconds on two idle cores with warm caches: packages, the downloaded Elasticsearch, and
// Go's build cache, but nothing of an earlier run of the tests. A new test file needs a budget here, within the 21 minutes of the whole.
// `npm test` prints the time of each part next to its budget.
// The whole took 14.1 to 16.5 minutes on machines with 2 cores. Of these, 10 to 11 minutes were the files on real clusters, which keep
// both cores busy: four of them run at a time, and each takes longer than alone.

/** Maximum time of all tests together, in s. */
export const MOST_S = 21 * 60;

/** Parts of `npm test` that run alone, one after the other. For each: its time budget in s. */
const ALONE = {
  build: 8,
  lint: 35,
  unit: 100,
  collector: 30,
  plugin: 12,
  'build collector': 4,
};

/**
 * Number of Jest's workers for the test files that use real clusters. It is larger than the number of cores (two), because trials have
 * fixed durations and mostly leave the cores idle.
 */
const LANES = 4;
/** Memory that a worker needs with its cluster and the other clusters of its file, in bytes. */
const OF_A_LANE = 4 * 1024 ** 3;

/** Returns the number of workers for this machine. It may have too little memory for {@link LANES} workers. */
export const lanesHere = () => Math.max(2, Math.min(LANES, Math.floor(totalmem() / OF_A_LANE)));

/** Test files that run in parallel; each worker has its own cluster. For each file: its time budget in s. */
const BESIDE = {
  'browser/charts': 60,
  'browser/keeping': 125,
  'browser/pages': 200,
  'browser/result': 100,
  'browser/stranger': 260,
  'browser/traffic': 25,
  'inputs/inputs': 150,
  'integration/annotations': 20,
  'integration/api': 35,
  'integration/bisect': 90,
  'integration/chaos': 265,
  'integration/clusters': 175,
  'integration/collector': 75,
  'integration/embedded': 100,
  'integration/embedded-collector': 30,
  'integration/environments': 50,
  'integration/esql': 100,
  'integration/existing': 15,
  'integration/highest-rate-runs': 25,
  'integration/index-modes': 35,
  'integration/indices': 75,
  'integration/ingest-pipelines': 70,
  'integration/kibana-schedules': 10,
  'integration/kibana-seats': 30,
  'integration/kibana-stores': 5,
  'integration/learn': 5,
  'integration/load-outcomes': 30,
  'integration/histories': 180,
  'integration/mask': 30,
  'integration/mask-replay': 30,
  'integration/node-side': 10,
  'integration/opensearch': 75,
  'integration/opensearch-2': 30,
  'integration/opensearch-results': 75,
  'integration/outage': 80,
  'integration/parsing': 75,
  'integration/places': 5,
  'integration/preload': 100,
  'integration/presets': 65,
  'integration/profile': 15,
  'integration/record': 25,
  'integration/rejections': 5,
  'integration/replay-dates': 15,
  'integration/replay-day': 30,
  'integration/replay-runs': 30,
  'integration/requests': 25,
  'integration/results': 10,
  'integration/run': 155,
  'integration/run-files': 20,
  'integration/run-removal': 5,
  'integration/seats': 85,
  'integration/secrets': 75,
  'integration/security': 30,
  'integration/serverless': 10,
  'integration/service': 35,
  'integration/set-up': 60,
  'integration/start-state': 60,
  'integration/stores': 15,
  'integration/target': 10,
  'integration/transaction-runs': 15,
  'integration/vectors': 20,
  'integration/whole-engine': 75,
  'integration/writes': 5,
};

/** Time in s until the clusters for the test files in `BESIDE` have started. */
const CLUSTERS_S = 20;

/**
 * Number of Jest's workers for the files in {@link INSTRUMENT}. A file uses only a quarter of two cores, so two files can run at a time.
 * The files also pass while another process uses a core.
 */
export const INSTRUMENT_LANES = 2;

/** Files that check the load generator's timing to milliseconds, on an otherwise idle machine. */
const INSTRUMENT = {
  'integration/highest-rate': 25,
  'integration/certify': 10,
  'integration/load': 20,
  'integration/replay': 20,
  'integration/transactions': 10,
};

/** Budgets of all parts, in s. */
export const BUDGETS = { ...ALONE, ...BESIDE, ...INSTRUMENT };

const sum = (budgets) => Object.values(budgets).reduce((all, seconds) => all + seconds, 0);

/** Budget of all tests together, in s. */
export const WHOLE_S = sum(ALONE) + CLUSTERS_S + sum(BESIDE) / LANES + sum(INSTRUMENT) / INSTRUMENT_LANES;

/** Parts that run longer in `npm run test:all` than in `npm test`. In `npm run test:all`, they have no budget. */
const LONGER_WITH_ALL = ['integration/presets'];

/**
 * Returns a table with the time and the budget of each part of `npm test`. `taken`: seconds by name of the part. `wholeS`: seconds of all
 * parts together; undefined if not all ran. `isAll`: whether it was `npm run test:all`, in which some parts have no budget.
 */
export function timetable(taken, wholeS, isAll = false) {
  const rows = Object.entries(taken).map(([part, seconds]) => [
    part,
    seconds,
    isAll && LONGER_WITH_ALL.includes(part) ? undefined : BUDGETS[part],
  ]);
  if (wholeS !== undefined) rows.push(['all of it', wholeS, isAll ? undefined : WHOLE_S]);
  if (rows.length === 0) return '';
  const width = Math.max(...rows.map(([part]) => part.length));
  const figure = (seconds) => (seconds === undefined ? '–' : `${Math.round(seconds)} s`).padStart(8);
  const lines = rows.map(
    ([part, seconds, budget]) =>
      `${part.padEnd(width)}${figure(seconds)}${figure(budget)}${seconds > budget ? '  over' : ''}`,
  );
  return [`${''.padEnd(width)}${'took'.padStart(8)}${'budget'.padStart(8)}`, ...lines].join('\n');
}

/** Maximum number of test files in the list of `closestToBudgets`. */
const SHOWN = 10;

/**
 * Lists the test files that took the largest share of their budgets, largest first, one on each line. Empty without such files. `taken`:
 * the seconds of each part.
 */
export function closestToBudgets(taken, isAll = false) {
  const shares = Object.entries(taken)
    .filter(([part]) => part.includes('/') && !(isAll && LONGER_WITH_ALL.includes(part)))
    .map(([file, seconds]) => ({ file, seconds, share: seconds / BUDGETS[file] }))
    .sort((a, b) => b.share - a.share)
    .slice(0, SHOWN);
  if (shares.length === 0) return '';
  const lines = shares.map(
    ({ file, seconds, share }) =>
      `${Math.round(share * 100)}%`.padStart(6) + `  ${file} (${Math.round(seconds)} of ${BUDGETS[file]} s)`,
  );
  return ['Files that used most of their budgets:', ...lines].join('\n');
}
