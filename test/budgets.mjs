import { totalmem } from 'node:os';

// What each part of `npm test` may take, in seconds on two free cores with warm caches: the packages, the Elasticsearch
// that was downloaded, Go's build cache; nothing of an earlier run of the tests. Who adds a feature gives its tests a place
// here, out of the 15 minutes that a person waits; `npm test` prints what each part took beside it.
// They are what each part should take. The whole took 14.1 to 14.3 minutes on a machine of 2 cores, 10 of them the files on real
// clusters, which keep both cores busy.

/** A person waits no longer, s. */
export const MOST_S = 15 * 60;

/** Parts that have the machine to themselves, one after the other. */
const ALONE = {
  build: 10,
  lint: 60,
  unit: 95,
  collector: 40,
  plugin: 15,
  'build collector': 5,
};

/**
 * Jest's workers for the files on real clusters: more than the two cores, since a trial lasts as long as its definition says
 * and leaves them free most of that time.
 */
const LANES = 4;
/** What a worker with its cluster and those of its file may hold, bytes. */
const OF_A_LANE = 4 * 1024 ** 3;

/** Those of this machine, whose memory may be too small for all of them. */
export const lanesHere = () => Math.max(2, Math.min(LANES, Math.floor(totalmem() / OF_A_LANE)));

/** Files that run so many at a time, each worker with a cluster of its own. */
const BESIDE = {
  'browser/keeping': 70,
  'browser/stranger': 148,
  'integration/annotations': 20,
  'integration/api': 20,
  'integration/bisect': 50,
  'integration/chaos': 150,
  'integration/clusters': 80,
  'integration/collector': 70,
  'integration/embedded': 60,
  'integration/embedded-collector': 25,
  'integration/environments': 40,
  'integration/existing': 25,
  'integration/highest-rate-runs': 35,
  'integration/index-modes': 20,
  'integration/indices': 45,
  'integration/kibana-schedules': 15,
  'integration/kibana-seats': 50,
  'integration/kibana-stores': 10,
  'integration/learn': 15,
  'integration/load-outcomes': 20,
  'integration/nights': 95,
  'integration/node-side': 15,
  'integration/outage': 35,
  'integration/parsing': 50,
  'integration/places': 10,
  'integration/preload': 45,
  'integration/presets': 55,
  'integration/rejections': 10,
  'integration/replay-runs': 20,
  'integration/requests': 20,
  'integration/results': 15,
  'integration/run': 70,
  'integration/run-files': 15,
  'integration/run-removal': 20,
  'integration/seats': 65,
  'integration/serverless': 25,
  'integration/service': 35,
  'integration/stores': 10,
  'integration/target': 15,
  'integration/transaction-runs': 15,
  'integration/vectors': 20,
  'integration/writes': 25,
};

/** The start of those clusters, before the first of these files. */
const CLUSTERS_S = 20;

/** Files that hold the load generator to milliseconds: one at a time, on a machine that does nothing else. */
const INSTRUMENT = {
  'integration/highest-rate': 20,
  'integration/certify': 15,
  'integration/load': 25,
  'integration/replay': 25,
  'integration/transactions': 20,
};

/** Of all parts, s. */
export const BUDGETS = { ...ALONE, ...BESIDE, ...INSTRUMENT };

const sum = (budgets) => Object.values(budgets).reduce((all, seconds) => all + seconds, 0);

/** What all of it may take, s. */
export const WHOLE_S = sum(ALONE) + CLUSTERS_S + sum(BESIDE) / LANES + sum(INSTRUMENT);

/** Parts of which `npm run test:all` runs more than `npm test`. */
const LONGER_WITH_ALL = ['integration/presets'];

/**
 * A table of what each part took (s, by its name), and of the whole where it was run, beside what they may take.
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
