/**
 * Benchmark of automatic tunings on simulated targets. The true effect of each setting on these targets is known. The benchmark measures
 * how often a tuning recommends a setting without effect, and how often it finds an effective setting (its power). Random numbers are
 * seeded.
 */
import { simulateTuning, type Nature, type Simulated } from '../../common/tuning/testing/simulated-target';
import { deriveSeed } from '../../common/random';
import type { Row } from './table';

const TUNINGS = 400;
const GAIN_TUNINGS = 100;
/** Minimum number of tunings that must recommend nothing, out of 400 tunings. No setting improves their target. */
const LEAST_SILENT = 380;
/**
 * Minimum share of tunings that must find two settings that each raise the throughput by 30%. It applies if the coefficient of variation of
 * trials is at most 5%.
 */
const LEAST_POWER = 0.8;

const NOISES: readonly (Pick<Nature, 'cv' | 'drift'> & { name: string })[] = [
  { name: 'CV 2%', cv: 0.02, drift: 0 },
  { name: 'CV 3.5%', cv: 0.035, drift: 0 },
  { name: 'CV 5%', cv: 0.05, drift: 0 },
  { name: 'CV 5%, a tenth slower at the end', cv: 0.05, drift: -0.1 },
  { name: 'CV 2%, a tenth faster at the end', cv: 0.02, drift: 0.1 },
];

const percent = (share: number): string => `${(share * 100).toFixed(1)}%`;
const share = (found: readonly Simulated[], is: (one: Simulated) => boolean): number =>
  found.filter(is).length / found.length;
const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

/** Returns a simulated throughput. Bulks of 2,500 documents raise it by `gain`, and so do two shards instead of four. */
const gaining =
  (gain: number): Nature['throughput'] =>
  (levels) =>
    (levels['tasks.ingest.ingest.bulk.docs'] === 2500 ? 1 + gain : 1) *
    (levels['index.settings.number_of_shards'] === 2 ? 1 + gain : 1);

/**
 * Time limits of the simulated tunings. A tuning tests all recommended settings together at its end. If this test does not confirm them,
 * only the longer limit leaves time for a second test with fewer settings.
 */
const TIMES = ['15m', '30m'] as const;

const simulate = (
  name: string,
  nature: Nature,
  tunings: number,
  time: (typeof TIMES)[number] = '15m',
): Simulated[] =>
  Array.from({ length: tunings }, (_, at) =>
    simulateTuning(nature, deriveSeed(20_261_123, name, at), { options: { time } }),
  );

const confirmationsOf = ({ stages }: Simulated): number =>
  stages.filter(({ kind }) => kind === 'confirmation').length;

/**
 * A target that misleads a tuning: two settings seem to raise the throughput by 30% each. In the final experiment, which should confirm
 * them, one of the settings (larger bulks) has no effect on the throughput and slows searches down by 30%.
 */
const deceiving = {
  throughput: (levels: Readonly<Record<string, unknown>>, experiment: string) =>
    gaining(0.3)(
      experiment.includes('confirmation') ? { ...levels, 'tasks.ingest.ingest.bulk.docs': 200 } : levels,
      experiment,
    ),
  latency: (levels: Readonly<Record<string, unknown>>, experiment: string) =>
    levels['tasks.ingest.ingest.bulk.docs'] !== 2500 ? 1 : experiment.includes('confirmation') ? 1.3 : 1.04,
};

export interface AdviceTables {
  tables: { title: string; rows: Row[] }[];
  failures: string[];
}

export function benchAdvice(tunings = TUNINGS): AdviceTables {
  const failures: string[] = [];
  const silent = TIMES.flatMap((time) =>
    NOISES.map(({ name, cv, drift }): Row => {
      const found = simulate(name, { cv, drift, throughput: () => 1 }, tunings, time);
      const nothing = found.filter(({ outcome }) => !outcome.recommended).length;
      if (nothing < (tunings * LEAST_SILENT) / TUNINGS)
        failures.push(`${name}, ${time}: only ${nothing} of ${tunings} recommend nothing`);
      return {
        'nothing to gain': `${name}, ${time}`,
        'recommend nothing': `${nothing} of ${tunings}`,
        'reached the confirmation': percent(share(found, ({ outcome }) => outcome.confirmation !== null)),
        'confirmed again with fewer settings': percent(share(found, (one) => confirmationsOf(one) > 1)),
        'trials, mean': mean(found.map(({ trials }) => trials)).toFixed(1),
      };
    }),
  );
  const power = NOISES.flatMap(({ name, cv, drift }) =>
    [0.1, 0.3].map((gain): Row => {
      const found = simulate(`${name} ${gain}`, { cv, drift, throughput: gaining(gain) }, GAIN_TUNINGS);
      const right = ({ outcome }: Simulated): boolean => outcome.recommended;
      if (gain === 0.3 && share(found, right) < LEAST_POWER)
        failures.push(
          `${name}: two gains of 30% were found in ${percent(share(found, right))} of the tunings`,
        );
      const planted = ({ outcome }: Simulated): number =>
        outcome.lines.filter(({ candidate }) => ['bulk: 2,500 documents', 'shards: 2'].includes(candidate.id))
          .length;
      const others = ({ outcome }: Simulated): number =>
        outcome.lines.length - planted({ outcome } as Simulated);
      return {
        'two settings that gain': `${percent(gain)} each, ${name}`,
        'recommend something': percent(share(found, right)),
        'both of them': percent(share(found, (one) => right(one) && planted(one) === 2)),
        'also one that gains nothing': percent(share(found, (one) => right(one) && others(one) > 0)),
        'trials, mean': mean(found.map(({ trials }) => trials)).toFixed(1),
      };
    }),
  );
  const inPart = NOISES.map(({ name, cv, drift }): Row => {
    const found = simulate(`${name} deceiving`, { cv, drift, ...deceiving }, GAIN_TUNINGS, '30m');
    const only = ({ outcome }: Simulated): boolean =>
      outcome.lines.length === 1 && outcome.lines[0]!.candidate.id === 'shards: 2';
    return {
      'one of two breaks a limit in the confirmation': name,
      'confirmed again with fewer settings': percent(share(found, (one) => confirmationsOf(one) > 1)),
      'recommend the other': percent(share(found, only)),
      'recommend something else': percent(share(found, (one) => one.outcome.recommended && !only(one))),
      'trials, mean': mean(found.map(({ trials }) => trials)).toFixed(1),
    };
  });
  return {
    tables: [
      {
        title: `Tunings of a target with nothing to gain (at least ${LEAST_SILENT} of ${TUNINGS} must recommend nothing)`,
        rows: silent,
      },
      {
        title: `Power: ${GAIN_TUNINGS} tunings each, in 15 minutes, with a limit: the p95 of searches rises by at most 10%`,
        rows: power,
      },
      {
        title: `Fewer settings when all together are not confirmed: ${GAIN_TUNINGS} tunings each, in 30 minutes`,
        rows: inPart,
      },
    ],
    failures,
  };
}
