/**
 * Certifies the load generator on this machine. It measures every behaviour of a simulated server at two rates, which takes two minutes.
 */
import os from 'node:os';
import type { Certification, KnownBehaviour } from '../../common/measurement/certification';
import { BEHAVIOURS } from './behaviours';
import { measure, type Measurement } from './measure';
import { TargetHandle } from './target-handle';
import { judge } from './verdict';

/** Rates of the load in requests per second. Only the higher rate has enough requests for p99.9. */
const RATES = [200, 2000] as const;
const WARMUP_MS = 1500;
/**
 * Duration of the measured phase of each measurement, in ms. With {@link WARMUP_MS}, preparation and drain, all measurements together take
 * two minutes.
 */
const MEASURE_MS = 6000;

export interface CertifyFiles {
  /** Path of the built worker.ts, the entry file of the load threads. */
  workerFile: string;
  /** Path of the built target-process.ts. */
  targetFile: string;
}

export interface CertifyOptions extends CertifyFiles {
  version: string;
  /** Selects the measurements by the behaviour of the simulated target and by the rate. Default: all measurements. For tests. */
  only?: (behaviour: string, perSecond: number) => boolean;
  measureMs?: number;
  /** Called before each measurement. `done`: number of finished measurements. `of`: number of all measurements. */
  onMeasuring?: (now: KnownBehaviour, done: number, of: number) => void;
  onMeasured?: (measurement: Measurement, done: number, of: number) => void;
  /** Cancels the certification within seconds. */
  signal?: AbortSignal;
}

/**
 * Executes the certification and returns its result with all measurements. Rejects with a DynoError if the target or the load generator
 * fails. If `signal` is aborted, rejects with the reason of the signal.
 */
export async function certify({
  workerFile,
  targetFile,
  version,
  only = () => true,
  measureMs = MEASURE_MS,
  onMeasuring,
  onMeasured,
  signal,
}: CertifyOptions): Promise<{ certification: Certification; measurements: Measurement[] }> {
  const asked = RATES.flatMap((perSecond) =>
    BEHAVIOURS.filter(({ name }) => only(name, perSecond)).map(({ name, text }) => ({
      behaviour: name,
      text,
      perSecond,
    })),
  );
  const measurements: Measurement[] = [];
  const target = await TargetHandle.start(targetFile);
  try {
    for (const [place, one] of asked.entries()) {
      onMeasuring?.(one, place, asked.length);
      const options = { ...one, warmupMs: WARMUP_MS, measureMs, seed: place + 1, workerFile, signal };
      const measurement = await measure(target, options);
      measurements.push(measurement);
      onMeasured?.(measurement, measurements.length, asked.length);
    }
  } finally {
    await target.stop();
  }
  return {
    measurements,
    certification: {
      ...judge(measurements),
      at: new Date().toISOString(),
      dyno: version,
      machine: {
        host: os.hostname(),
        cores: os.availableParallelism(),
        memoryBytes: os.totalmem(),
        node: process.version,
        os: `${os.type()} ${os.release()}`,
      },
    },
  };
}
