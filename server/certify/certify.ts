/** Certifies this machine's instrument: every behaviour at two rates, in two minutes. */
import os from 'node:os';
import type { Certification, KnownBehaviour } from '../../common/measurement/certification';
import { BEHAVIOURS } from './behaviours';
import { measure, type Measurement } from './measure';
import { TargetHandle } from './target-handle';
import { judge } from './verdict';

/** Requests a second. p99.9 is told at the higher one only: at the other too few stand behind it. */
const RATES = [200, 2000] as const;
const WARMUP_MS = 1500;
/** With {@link WARMUP_MS} and what is opened and drained, all of them take two minutes. */
const MEASURE_MS = 6000;

export interface CertifyFiles {
  /** The built worker.ts of the load generator. */
  workerFile: string;
  /** The built target-process.ts. */
  targetFile: string;
}

export interface CertifyOptions extends CertifyFiles {
  version: string;
  /** Behaviours and rates, by default all; for tests. */
  only?: (behaviour: string, perSecond: number) => boolean;
  measureMs?: number;
  /** Called before each measurement, `done` of which are over. */
  onMeasuring?: (now: KnownBehaviour, done: number, of: number) => void;
  onMeasured?: (measurement: Measurement, done: number, of: number) => void;
  /** Ends it within seconds. */
  signal?: AbortSignal;
}

/** Rejects with a DynoError where the target or the generator fails, and as `signal` says where that ends it. */
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
