/**
 * Compares Dyno's latencies with the logs of test servers whose behaviour is known. If k6 is installed, compares its latencies with the
 * same logs, too. Dyno and k6 are measured in turn.
 */
import { BEHAVIOURS, type BehaviourName } from '../../server/certify/behaviours';
import { JUDGED, measure, type Figure, type Measurement } from '../../server/certify/measure';
import { countsAreExact, judgeFigure } from '../../server/certify/verdict';
import { TargetHandle } from '../../server/certify/target-handle';
import { k6Adds, k6Version } from './k6';
import { figure, print, type Row } from './table';

const RATES = [200, 2000];
const WARMUP_MS = 3000;

const isWithinOnePercent = ({ said, truth }: Figure): boolean => Math.abs(said - truth) <= 0.01 * truth;
/** Returns whether a measured value differs from the true value in the server's log by more than 10%. */
const isFarOff = ({ said, truth }: Figure): boolean => Math.abs(said - truth) > 0.1 * truth;

const MARKS = { right: '', stated: ' ~', doubted: ' ?', wrong: ' !' } as const;

const cell = (known: Figure): string => {
  const { said, truth, doubted } = known;
  const mark = doubted ? ' ?' : MARKS[judgeFigure(known)];
  return `${figure(truth)} ${said >= truth ? '+' : ''}${figure(said - truth)}${mark}`;
};

const countsOf = (measurement: Measurement): string => {
  const { said, truth } = measurement;
  return countsAreExact(measurement)
    ? 'exact'
    : `${said.accepted}/${said.rejected}, not ${truth.accepted}/${truth.rejected}`;
};

/** Returns two rows for a measurement: one for the service time and one for the latency. */
const rowsOf = (measurement: Measurement): Row[] =>
  (['service', 'latency'] as const).map((of) => ({
    target: of === 'service' ? `${measurement.behaviour}, ${measurement.perSecond}/s` : '',
    figure: of,
    ...Object.fromEntries(
      JUDGED.map((key) => {
        const found = measurement.figures.find((known) => known.of === of && known.key === key);
        return [key, found === undefined ? '-' : cell(found)];
      }),
    ),
    counts: countsOf(measurement),
  }));

export interface TruthFiles {
  workerFile: string;
  targetFile: string;
}

export async function benchTruth(
  { workerFile, targetFile }: TruthFiles,
  { seconds = 20, only = '' }: { seconds?: number; only?: string } = {},
): Promise<void> {
  const target = await TargetHandle.start(targetFile);
  const added: Row[] = [];
  const all: Figure[] = [];
  const rows: Row[] = [];
  try {
    for (const perSecond of RATES) {
      for (const { name } of BEHAVIOURS) {
        if (only !== '' && !only.split(',').includes(name)) continue;
        const measurement = await measureOne(target, workerFile, name, perSecond, seconds);
        all.push(...measurement.figures);
        const round = rowsOf(measurement);
        rows.push(...round);
        // Each round is printed at once, so that an interrupted benchmark shows its finished rounds.
        print(`${name}, ${perSecond}/s`, round);
      }
    }
    added.push(...(await besideK6(target, workerFile, seconds)));
  } finally {
    await target.stop();
  }
  print(
    'Truth by the target’s log and what Dyno adds, in ms; ? flagged, ~ within the overhead that the report states, ! neither',
    rows,
  );
  if (added.length > 0) print('What Dyno and k6 add to the service time of 5 ms, ms', added);
  const right = all.filter(isWithinOnePercent);
  const count = (holds: (known: Figure) => boolean): number => all.filter(holds).length;
  print('Of all figures', [
    {
      figures: all.length,
      'right within 1% or 0.3 ms': count((known) => judgeFigure(known) === 'right'),
      'within stated overhead': count((known) => judgeFigure(known) === 'stated'),
      flagged: count(({ doubted }) => doubted),
      'wrong, neither': count((known) => judgeFigure(known) === 'wrong'),
      'wrong by over 10%, not flagged': count((known) => isFarOff(known) && !known.doubted),
      'right within 1%': right.length,
      'flagged of these': right.filter(({ doubted }) => doubted).length,
    },
  ]);
}

const ROUNDS = 5;

/** Measures Dyno and k6 in turn. Changes of the machine's speed therefore affect both. */
async function besideK6(target: TargetHandle, workerFile: string, seconds: number): Promise<Row[]> {
  const version = k6Version();
  if (version === null) {
    process.stdout.write('\nk6 is not installed, so it is not measured\n');
    return [];
  }
  const rows: Row[] = [];
  for (const perSecond of RATES) {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const { figures } = await measureOne(target, workerFile, 'constant', perSecond, seconds);
      const own = (key: Figure['key']): number => {
        const found = figures.find((known) => known.of === 'service' && known.key === key);
        return found === undefined ? NaN : found.said - found.truth;
      };
      const k6 = await k6Adds(target, perSecond, seconds);
      const row: Row = { '5 ms': `${perSecond}/s, round ${round}` };
      for (const key of ['p50', 'p99', 'p99_9', 'max'] as const) {
        row[`${key} dyno`] = figure(own(key));
        row[`${key} k6`] = figure(k6[key]);
      }
      rows.push(row);
      print('What Dyno and k6 add to the service time of 5 ms, ms', [row]);
    }
  }
  return rows;
}

const measureOne = (
  target: TargetHandle,
  workerFile: string,
  behaviour: BehaviourName,
  perSecond: number,
  seconds: number,
): Promise<Measurement> =>
  measure(target, {
    behaviour,
    perSecond,
    warmupMs: WARMUP_MS,
    measureMs: seconds * 1000,
    seed: 1,
    workerFile,
  });
