/**
 * Benchmark of the detection of changes in the history of an experiment. Its runs are simulated with seeded random numbers. It measures
 * false alarms, the number of runs until a change is found, the effect of outliers, and the CPU time.
 *
 * If DYNO_PYTHON is an interpreter with Apache Otava, the output also contains Otava's results. If DYNO_OTAVA is the folder of Otava's
 * source package, Otava's Tigerbeetle example is analysed too.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { analyseHistory, type Cut, type Series } from '../../common/history/changes';
import { runsIn, type Point } from '../../common/history/columns';
import {
  madeHistoryRuns,
  madeSeries,
  totalDeviation,
  type RunNoise,
} from '../../common/history/testing/made-history-runs';
import { createRandom, deriveSeed, type Random } from '../../common/random';
import type { StatisticsTable } from './statistics';
import type { Row } from './table';

/** Path of the Python script. It is relative to `build/`, from which the bundle of this file runs. */
const SCRIPT = fileURLToPath(new URL('../test/bench/change-points.py', import.meta.url));

const FAMILY = 200;
const HISTORY_RUNS = 1000;
const EXPERIMENTS = 3;
/** Maximum average number of false alarms in 100 runs of an experiment. */
const MOST_ALARMS = 1;
const HISTORIES = 500;
const STEP = 0.05;
/** Numbers of runs before the simulated change. */
const BEFORE = [30, 60, 90];
const JUDGED_BEFORE = 60;
const BEHIND = 100;
const SOON = 5;
const LEAST_FOUND = 0.9;
/** Standard deviation of the runs' means, as a fraction of the mean, up to which a change must be found within {@link SOON} runs. */
const QUIET = 0.015;
const TRIALS = 4;
/**
 * Minimum number of simulated histories for which the share of found changes is judged. With fewer, the share depends too much on chance.
 */
const FEW_HISTORIES = 50;
const OTAVA_SERIES = 20;

const NOISES: readonly (RunNoise & { name: string })[] = [
  { name: 'normal', within: 0.01, between: 0.01 },
  { name: 'normal', within: 0.02, between: 0.01 },
  { name: 'normal', within: 0.05, between: 0.04 },
  { name: 'lognormal 0.5', within: 0.02, between: 0.01, tail: 0.5 },
  { name: 'lognormal 0.5', within: 0.05, between: 0.04, tail: 0.5 },
  { name: 'lognormal 1', within: 0.02, between: 0.01, tail: 1 },
  { name: 'lognormal 1', within: 0.05, between: 0.04, tail: 1 },
  { name: 'weekly', within: 0.01, between: 0.01, weekly: 0.008 },
  { name: 'weekly', within: 0.01, between: 0.01, weekly: 0.02 },
  { name: 'weekend', within: 0.01, between: 0.01, weekend: 0.03 },
  { name: 'lognormal 0.5, weekly', within: 0.03, between: 0.02, tail: 0.5, weekly: 0.01 },
];

const percent = (of: number): string => `${(100 * of).toFixed(1)}%`;
const label = ({ name, within, between, weekly, weekend }: (typeof NOISES)[number]): Row => ({
  noise: name,
  within: percent(within),
  between: percent(between),
  pattern: weekly || weekend ? percent((weekly ?? 0) + (weekend ?? 0)) : '',
});
const streamOf = (noise: object, ...parts: (string | number)[]): Random =>
  createRandom(deriveSeed(18, JSON.stringify(noise), ...parts));

interface Otava {
  /**
   * Returns the positions of the change points that Otava finds in each series. `magnitude`: smallest relative change that Otava reports.
   */
  answers: (series: readonly Series[], magnitude: number) => number[][];
  example: () => { series: number[]; places: number[] } | null;
}

/** Returns an object that calls Apache Otava, or null if the Python interpreter has no Otava. */
function otava(): Otava | null {
  const interpreter = process.env['DYNO_PYTHON'] ?? 'python3';
  try {
    execFileSync(interpreter, ['-c', 'import otava.analysis'], { stdio: 'ignore' });
  } catch {
    return null;
  }
  const ask = (series: readonly number[][], magnitude: number, ...more: string[]): unknown => {
    const folder = mkdtempSync(path.join(tmpdir(), 'dyno-change-points-'));
    try {
      const file = path.join(folder, 'series.json');
      writeFileSync(file, JSON.stringify({ magnitude, series }));
      return JSON.parse(
        execFileSync(interpreter, [SCRIPT, file, ...more], { encoding: 'utf8', maxBuffer: 1e8 }),
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  const folder = process.env['DYNO_OTAVA'];
  return {
    answers: (series, magnitude) =>
      ask(
        series.map(({ means }) => [...means]),
        magnitude,
      ) as number[][],
    example: () =>
      folder === undefined
        ? null
        : (ask([], STEP, path.join(folder, 'tests', 'tigerbeetle_test.py')) as {
            series: number[];
            places: number[];
          }),
  };
}

interface Part {
  table: StatisticsTable;
  failures: string[];
}

/** Counts the changes that are reported although nothing changed. The margin is 0. Therefore, changes of any size are reported. */
function falseAlarms(beside: Otava | null): Part {
  const failures: string[] = [];
  const rows = NOISES.map((noise): Row => {
    const random = streamOf(noise, 'steady');
    let alarms = 0;
    let early = 0;
    let theirs = 0;
    for (let experiment = 0; experiment < EXPERIMENTS; experiment += 1) {
      const series = Array.from({ length: FAMILY }, () =>
        madeSeries(madeHistoryRuns(noise, HISTORY_RUNS, random)),
      );
      const changes = analyseHistory(series, [], { margin: 0 }).flatMap((answer) => answer.changes);
      alarms += changes.length;
      early += changes.filter(({ confirmed }) => confirmed < 100).length;
      if (experiment === 0 && beside !== null)
        theirs = beside.answers(series.slice(0, OTAVA_SERIES), 0).flat().length;
    }
    const rate = alarms / EXPERIMENTS / (HISTORY_RUNS / 100);
    const row = label(noise);
    if (rate > MOST_ALARMS)
      failures.push(`${Object.values(row).join(' ')}: ${rate.toFixed(2)} alarms in 100 runs`);
    return {
      ...row,
      'alarms in 100 runs': rate.toFixed(2),
      'in the first 100': (early / EXPERIMENTS).toFixed(2),
      ...(beside === null
        ? {}
        : {
            "Otava's points in 100 runs": ((theirs / OTAVA_SERIES) * FAMILY * (100 / HISTORY_RUNS)).toFixed(
              0,
            ),
          }),
    };
  });
  return {
    table: {
      title: `Steady experiments of ${FAMILY} series, ${EXPERIMENTS * HISTORY_RUNS} runs (at most ${MOST_ALARMS}; Otava's of ${OTAVA_SERIES} series of ${HISTORY_RUNS} runs, for ${FAMILY})`,
      rows,
    },
    failures,
  };
}

const stepAt =
  (step: number, size = STEP) =>
  (at: number) =>
    at < step ? 1000 : 1000 * (1 + size);
const upTo = (series: readonly Series[], runs: number): Series[] =>
  series.map((one) => ({ ...one, ...runsIn(one, 0, runs) }));

/**
 * Measures after how many runs a change of 5% is found, which is also the margin (the smallest change that counts). `before`: number of
 * runs before the change.
 */
function power(before: number, beside: Otava | null): Part {
  const failures: string[] = [];
  const rows = NOISES.map((noise): Row => {
    const random = streamOf(noise, 'step', before);
    const waits: number[] = [];
    const needed: (number | null)[] = [];
    let theirs = 0;
    let truly = 0;
    for (let made = 0; made < HISTORIES; made += FAMILY) {
      const size = Math.min(FAMILY, HISTORIES - made);
      const stepped = Array.from({ length: size }, () =>
        madeSeries(madeHistoryRuns(noise, before + BEHIND, random, stepAt(before))),
      );
      const others = Array.from({ length: FAMILY - size }, () =>
        madeSeries(madeHistoryRuns(noise, before + BEHIND, random)),
      );
      const series = [...stepped, ...others];
      const options = { margin: STEP };
      needed.push(
        ...analyseHistory(upTo(series, before), [], options)
          .slice(0, size)
          .map(({ nightsNeeded }) => nightsNeeded),
      );
      for (const { changes } of analyseHistory(series, [], options).slice(0, size)) {
        const found = changes.find(({ confirmed, kind }) => confirmed >= before && kind === 'worse');
        waits.push(found === undefined ? Infinity : found.confirmed - before + 1);
        if (found !== undefined && Math.abs(found.night - before) <= 1) truly += 1;
      }
      if (beside !== null)
        theirs += beside
          .answers(upTo(stepped, before + SOON), 0)
          .filter((places) => places.some((place) => Math.abs(place - before) <= 2)).length;
    }
    const soon = waits.filter((wait) => wait <= SOON).length / HISTORIES;
    const found = waits.filter((wait) => wait < Infinity).length;
    const sorted = [...waits].sort((a, b) => a - b);
    const predicted = [...needed.keys()].filter((at) => needed[at] !== null);
    const kept = predicted.filter((at) => waits[at]! <= needed[at]!).length;
    const deviation = totalDeviation(noise, TRIALS);
    const row = label(noise);
    const name = `${Object.values(row).join(' ')}, ${before} runs before`;
    if (before >= JUDGED_BEFORE && deviation <= QUIET && soon < LEAST_FOUND)
      failures.push(`${name}: ${percent(soon)} found within ${SOON} runs`);
    if (
      predicted.length >= FEW_HISTORIES &&
      kept < LEAST_FOUND * predicted.length - 2 * Math.sqrt(0.09 * predicted.length)
    )
      failures.push(`${name}: ${percent(kept / predicted.length)} found within the predicted number of runs`);
    const middle = needed.map((one) => one ?? Infinity).sort((a, b) => a - b)[HISTORIES / 2]!;
    return {
      ...row,
      "a run's mean": percent(deviation),
      [`found in ${SOON}`]: percent(soon),
      '9 of 10 found in': Number.isFinite(sorted[HISTORIES * 0.9]!)
        ? sorted[HISTORIES * 0.9]!
        : `> ${BEHIND}`,
      'predicted runs (median)': Number.isFinite(middle) ? middle : 'too noisy',
      'found in predicted':
        predicted.length === 0 ? '' : `${percent(kept / predicted.length)} of ${predicted.length}`,
      'place within 1': found === 0 ? '' : percent(truly / found),
      ...(beside === null ? {} : { [`Otava in ${SOON}`]: percent(theirs / HISTORIES) }),
    };
  });
  return {
    table: {
      title: `A step of 5%, the margin, after ${before} runs in each of ${HISTORIES} histories (experiments of ${FAMILY} series; with a deviation of at most 1.5%, ${percent(LEAST_FOUND)} must be found within ${SOON} runs${before < JUDGED_BEFORE ? ` if at least ${JUDGED_BEFORE} runs precede it` : ''})`,
      rows,
    },
    failures,
  };
}

/**
 * Checks that outliers are not reported as changes. Also checks changes that begin with another version or set-up: the report must name the
 * version or the set-up as the possible cause.
 */
function outliersAndCuts(): Part {
  const failures: string[] = [];
  const noise = NOISES[1]!;
  const random = streamOf(noise, 'outliers');
  const withOne = (points: Point[], at: number, factor: number): Series => {
    points[at] = { ...points[at]!, mean: points[at]!.mean * factor };
    return madeSeries(points);
  };
  let alone = 0;
  let reported = 0;
  for (let history = 0; history < HISTORIES; history += 1) {
    const outlier = 10 + random.below(40);
    const factor = [0.3, 0.8, 1.2, 2, 20][history % 5]!;
    const [answer] = analyseHistory([withOne(madeHistoryRuns(noise, 60, random), outlier, factor)], [], {
      margin: STEP,
    });
    alone += answer!.changes.length;
    if (answer!.outliers.includes(outlier)) reported += 1;
  }
  let whole = 0;
  for (let experiment = 0; experiment < 50; experiment += 1) {
    const series = Array.from({ length: FAMILY }, () => withOne(madeHistoryRuns(noise, 60, random), 40, 1.3));
    whole += analyseHistory(series, [], { margin: STEP }).flatMap(({ changes }) => changes).length;
  }
  if (alone > 0) failures.push(`${alone} of ${HISTORIES} outliers were called a change`);
  if (whole > 1) failures.push(`${whole} of ${50 * FAMILY} series were called changed because of an outlier`);
  const cuts: Cut[] = [{ night: 60, what: ['Elasticsearch'] }];
  const steps = Array.from({ length: FAMILY }, () =>
    madeSeries(madeHistoryRuns(noise, 80, random, stepAt(60))),
  );
  const named = analyseHistory(steps, cuts, { margin: STEP }).filter(({ changes }) =>
    changes.some(({ night, named: what }) => night === 60 && what.length > 0),
  ).length;
  if (named < LEAST_FOUND * FAMILY) failures.push(`${named} of ${FAMILY} steps were attributed to their cut`);
  const eachRun = Array.from({ length: HISTORY_RUNS }, (_, night) => ({ night, what: ['Elasticsearch'] }));
  const steady = Array.from({ length: FAMILY }, () =>
    madeSeries(madeHistoryRuns(noise, HISTORY_RUNS, random)),
  );
  const atCuts = analyseHistory(steady, eachRun, { margin: 0 }).flatMap(({ changes }) => changes).length;
  if (atCuts > (HISTORY_RUNS / 100) * MOST_ALARMS)
    failures.push(`${atCuts} alarms in ${HISTORY_RUNS} runs with a cut each`);
  const weekly = eachRun.filter(({ night }) => night % 10 === 0);
  const atWeekly = analyseHistory(steady, weekly, { margin: 0 }).flatMap(({ changes }) => changes).length;
  if (atWeekly > (HISTORY_RUNS / 100) * MOST_ALARMS)
    failures.push(`${atWeekly} alarms in ${HISTORY_RUNS} runs, a cut in ten`);
  return {
    table: {
      title: 'Outliers and cuts (normal, 2.0% within, 1.0% between)',
      rows: [
        { what: `outliers called a change, of ${HISTORIES}`, count: alone },
        { what: `outliers reported as such, of ${HISTORIES}`, count: reported },
        { what: `outliers in all ${FAMILY} series called a change, of ${50 * FAMILY}`, count: whole },
        { what: `steps of 5% at a cut attributed to it, of ${FAMILY}`, count: named },
        {
          what: `alarms of a steady experiment in ${HISTORY_RUNS} runs with a cut before each`,
          count: atCuts,
        },
        {
          what: `alarms of a steady experiment in ${HISTORY_RUNS} runs with a cut before each tenth`,
          count: atWeekly,
        },
      ],
    },
    failures,
  };
}

function cost(): Part {
  const noise = NOISES[1]!;
  const random = streamOf(noise, 'cost');
  const sizes = [500, 1000, 2000];
  const measured = sizes.map((runs) => {
    const series = Array.from({ length: FAMILY }, () =>
      madeSeries(madeHistoryRuns(noise, runs, random, (run) => 1000 * 1.2 ** Math.floor(run / 300))),
    );
    const heap = process.memoryUsage();
    const began = process.cpuUsage();
    const answers = analyseHistory(series, [], { margin: STEP });
    const { user, system } = process.cpuUsage(began);
    const now = process.memoryUsage();
    return {
      seconds: (user + system) / 1e6,
      row: {
        runs,
        'CPU, s': ((user + system) / 1e6).toFixed(2),
        'grown by, MB': ((now.heapUsed + now.arrayBuffers - heap.heapUsed - heap.arrayBuffers) / 1e6).toFixed(
          0,
        ),
        changes: answers.flatMap(({ changes }) => changes).length,
      },
    };
  });
  const { seconds } = measured.at(-1)!;
  return {
    table: { title: `Cost of an experiment of ${FAMILY} series`, rows: measured.map(({ row }) => row) },
    failures: seconds > 2 ? [`2000 runs took ${seconds.toFixed(2)} s of CPU`] : [],
  };
}

function tigerbeetle(beside: Otava): Part | null {
  const example = beside.example();
  if (example === null) return null;
  const points = example.series.map((mean): Point => ({ mean, deviation: null, trials: 1 }));
  const [answer] = analyseHistory([madeSeries(points, 'higher')], [], { margin: STEP });
  const [without] = analyseHistory([madeSeries(points, 'higher')], [], { margin: 0 });
  const list = ({ changes }: NonNullable<typeof answer>): string =>
    changes.map(({ night, kind, ratio }) => `${night} ${kind} ${ratio!.toFixed(3)}`).join(', ');
  return {
    table: {
      title: `The Tigerbeetle example of Otava, ${points.length} points without trials`,
      rows: [
        { answer: 'Otava, 5%', points: example.places.join(', ') },
        { answer: 'Dyno, 5%', points: list(answer!) },
        { answer: 'Dyno, 5%, outliers', points: answer!.outliers.join(', ') },
        { answer: 'Dyno, no margin', points: list(without!) },
      ],
    },
    failures: [],
  };
}

/** Returns the tables of results, and a sentence for each requirement that was not met. */
export function benchHistories(): { tables: StatisticsTable[]; failures: string[] } {
  const beside = otava();
  if (beside === null)
    process.stdout.write(
      'Without Otava: set DYNO_PYTHON to an interpreter that has it, for example after python3 -m venv otava-venv && otava-venv/bin/pip install apache-otava\n',
    );
  const parts = [
    cost(),
    falseAlarms(beside),
    ...BEFORE.map((before) => power(before, beside)),
    outliersAndCuts(),
    ...(beside === null ? [] : [tigerbeetle(beside)]),
  ].filter((part) => part !== null);
  return {
    tables: parts.map(({ table }) => table),
    failures: parts.flatMap(({ failures }) => failures),
  };
}
