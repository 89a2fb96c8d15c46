import { totalmem } from 'node:os';

// Time budgets for the parts of `npm test`, in seconds on two idle cores with warm caches: packages, the downloaded Elasticsearch, and
// Go's build cache, but nothing of an earlier run of the tests. A new test file needs a budget here, within the 21 minutes of the whole.
// `npm test` prints the time of each part next to its budget.
// The whole took 14.1 to 16.5 minutes on machines with 2 cores. Of these, 10 to 11 minutes were the files on real clusters, which keep
// both cores busy: four of them run at a time, and each takes longer than alone.

/** Maximum time of all tests together, in s. */
export const MOST_S = 21 * 60;

/** Sections of `npm test` that run alone, one after the other. Each value is a time budget in s. */
const ALONE = {
  build: 8,
  lint: 35,
  unit: 100,
  collector: 30,
  plugin: 12,
  'build collector': 4,
};

/**
 * Maximum number of Jest workers for the test files that use real clusters. It is larger than the usual number of cores (two), because
 * trials have fixed durations and mostly leave the cores idle.
 */
const LANES = 4;
/** Memory that a Jest worker needs, with its cluster and the other clusters that its test file starts, in bytes. */
const OF_A_LANE = 4 * 1024 ** 3;

/** Returns the number of Jest workers for this machine: {@link LANES}, or fewer if the machine has too little memory. */
export const lanesHere = () => Math.max(2, Math.min(LANES, Math.floor(totalmem() / OF_A_LANE)));

/** Test files that run in parallel. Each Jest worker has its own cluster. Each value is a time budget in s. */
const BESIDE = {
  'browser/charts': 60,
  'browser/keeping': 125,
  'browser/pages': 200,
  'browser/profile': 40,
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
  'integration/opensearch-security': 75,
  'integration/outage': 80,
  'integration/parsing': 75,
  'integration/places': 5,
  'integration/preload': 100,
  'integration/presets': 65,
  'integration/profile': 15,
  'integration/profiler': 50,
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
  'integration/search-profile': 20,
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
  'integration/why': 60,
  'integration/writes': 5,
};

/** Time in s until the clusters for the test files in `BESIDE` have started. */
const CLUSTERS_S = 20;

/**
 * Number of Jest workers for the files in {@link INSTRUMENT}. A file uses only a quarter of two cores. Therefore, two files can run at a
 * time. The files also pass while another process uses a core.
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

/** Time budgets of all sections and test files, in s. */
export const BUDGETS = { ...ALONE, ...BESIDE, ...INSTRUMENT };

const sum = (budgets) => Object.values(budgets).reduce((all, seconds) => all + seconds, 0);

/** Budget of all tests together, in s. */
export const WHOLE_S = sum(ALONE) + CLUSTERS_S + sum(BESIDE) / LANES + sum(INSTRUMENT) / INSTRUMENT_LANES;

/** Test files that take longer in `npm run test:all` than in `npm test`. They have no time budget in `npm run test:all`. */
const LONGER_WITH_ALL = ['integration/presets'];

/**
 * Returns a table with the time and the budget of each section or test file of `npm test`. `taken`: seconds by name of the section or file.
 * `wholeS`: seconds of all together; undefined if not all were executed. `isAll`: whether the command was `npm run test:all`, in which some
 * files have no budget.
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
 * Lists the test files that took the largest share of their budgets, the largest share first, one file on each line. Empty if no test file
 * was executed. `taken`: seconds by name of the section or file.
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
