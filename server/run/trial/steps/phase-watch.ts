/** Reads values of the target again and again during the measured phase: gauges, and the stacks of threads. */
import type { CellDefinition } from '../../../../common/experiment/cell-definition';
import type { GaugeReading } from '../../../../common/measurement/server-delta';
import { EVENTS, profiledIn, type ProfileEvent } from '../../../../common/profile/events';
import type { PhaseProfile } from '../../../../common/profile/phase-profile';
import type { NodeThreads } from '../../../../common/profile/hot-threads';
import { messageOf } from '../../../../common/problem';
import { durationMs, parseDuration } from '../../../../common/units/duration';
import { readHotThreads } from '../../../target-cluster/hot-threads';
import { readGauges } from '../../../target-cluster/snapshot';
import type { LoadedProfiler } from '../../../target-cluster/node-profiler';
import type { Needs } from '../input';
import type { Undo } from '../undo';

/** Interval at which gauges are read, in ms. Elasticsearch itself updates them only once a second. */
const GAUGES_EVERY_MS = 2000;

/** Default interval of `measure.profile`. With an interval of 1s, two cores indexed 4% less (docs/profiling.md). */
const PROFILE_INTERVAL = '5s';

/** Calls `read` periodically from `begin` to `end`. Skips a reading while the reading before is still running. */
export class PhaseWatch<T> {
  private timer: NodeJS.Timeout | undefined;
  private reading = false;

  constructor(
    private readonly everyMs: number,
    private readonly read: () => Promise<T>,
    private readonly onRead: (value: T) => void,
    undo: Undo,
    private readonly onError: (error: unknown) => void = () => undefined,
  ) {
    undo(() => this.end());
  }

  begin(): void {
    this.timer = setInterval(() => void this.look(), this.everyMs);
  }

  end(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async look(): Promise<void> {
    if (this.reading) return;
    this.reading = true;
    try {
      const value = await this.read();
      // If an answer arrives after the phase, it describes the next phase and is dropped.
      if (this.timer !== undefined) this.onRead(value);
    } catch (error) {
      this.onError(error);
    } finally {
      this.reading = false;
    }
  }
}

type Watching = Needs<'target' | 'listener'>;

/** Adds the gauges of all nodes to `readings`. If a reading fails, it is skipped: the snapshots report why nodes do not answer. */
export const gaugeWatch = (
  { target }: Watching,
  readings: GaugeReading[],
  undo: Undo,
): PhaseWatch<GaugeReading> =>
  new PhaseWatch(
    GAUGES_EVERY_MS,
    () => readGauges(target.connection.atOnce),
    (reading) => readings.push(reading),
    undo,
  );

const NO_HOT_THREADS =
  'no reading of the hot threads within the measured phase contained CPU times; choose a longer phase or a shorter `measure.profile-interval`';

/**
 * Returns a note if the definition asks for a profile, but the trial has none; otherwise ''. A profile is missing if the measured phase was
 * too short, or if the readings had an unknown form.
 */
export function missingProfile(
  { measure }: Pick<CellDefinition, 'measure'>,
  profile: Pick<PhaseProfile, 'isEmpty'>,
): string {
  const asked = profiledIn(measure);
  if (asked === undefined || !profile.isEmpty) return '';
  const why = asked.source === 'profiler' ? EVENTS[asked.event].none : NO_HOT_THREADS;
  return `the trial has no profile, because ${why}`;
}

/**
 * Time, in ms, after which the nodes end the sampling themselves if the length of the phase is unknown. A profile of a longer phase lacks its
 * end.
 */
const LONGEST_SAMPLING_MS = 3_600_000;
/** Time, in ms, by which the sampling may exceed the length of the phase before the nodes end it themselves. */
const SAMPLING_RESERVE_MS = 60_000;

/** Lets the nodes sample the stacks of all threads from `begin` to `end`. */
export class SamplingWatch {
  private started: Promise<void> | undefined;
  /** Settles when the profile of the phase has been read, or could not be read. Never rejects. */
  done: Promise<void> = Promise.resolve();

  constructor(
    private readonly profiler: LoadedProfiler,
    private readonly event: ProfileEvent,
    private readonly limitMs: number,
    private readonly onRead: (nodes: NodeThreads[]) => void,
    private readonly onError: (error: unknown) => void,
    undo: Undo,
  ) {
    undo(() => {
      this.end();
      return this.done;
    });
  }

  begin(): void {
    this.started = this.profiler.start(this.event, this.limitMs);
    // `end` handles the error.
    this.started.catch(() => undefined);
  }

  end(): void {
    const { started } = this;
    this.started = undefined;
    if (started === undefined) return;
    this.done = started
      .then(() => this.profiler.stop())
      .then(this.onRead)
      .catch(this.onError);
  }
}

/**
 * Returns an object that adds the stacks of all nodes to `profile`, or undefined if the definition does not ask for a profile. The first
 * error becomes a note.
 */
export function profileWatch(
  { target, listener }: Watching,
  { measure }: Pick<CellDefinition, 'measure'>,
  profile: PhaseProfile,
  undo: Undo,
): PhaseWatch<NodeThreads[]> | SamplingWatch | undefined {
  const asked = profiledIn(measure);
  if (asked === undefined) return undefined;
  let failed = false;
  const onRead = (nodes: NodeThreads[]): void => profile.add(nodes);
  const onError = (error: unknown): void => {
    if (!failed) listener.onNote(`the profile lacks readings: ${messageOf(error)}`);
    failed = true;
  };
  if (asked.source === 'profiler') {
    const limitMs =
      measure.duration === undefined
        ? LONGEST_SAMPLING_MS
        : durationMs(measure.duration) + SAMPLING_RESERVE_MS;
    return new SamplingWatch(target.profiler!, asked.event, limitMs, onRead, onError, undo);
  }
  return new PhaseWatch(
    parseDuration(measure['profile-interval'] ?? PROFILE_INTERVAL)!,
    () => readHotThreads(target.connection.atOnce),
    onRead,
    undo,
    onError,
  );
}
