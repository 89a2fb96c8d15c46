/** What a profile can count (`measure.profile-event`): how async-profiler samples it, and the words for it. */

/** Events that a profile may count: CPU time, allocated bytes, time in which threads waited for locks, or elapsed time. */
export const PROFILE_EVENTS = ['cpu', 'alloc', 'lock', 'wall'] as const;
export type ProfileEvent = (typeof PROFILE_EVENTS)[number];

/** How stacks are read: with the API `_nodes/hot_threads`, or by async-profiler. */
export type ProfileSource = 'hot-threads' | 'profiler';

/** Unit of the weights of stacks. `us`: microseconds. */
export type ProfileUnit = 'us' | 'bytes';

export interface EventInfo {
  /** async-profiler counts all times in ns instead. */
  unit: ProfileUnit;
  /** Options with which async-profiler samples the event. */
  options: readonly string[];
  /** Weight of a sample, in `unit`. Null if samples differ too much for a mean: each different stack of a thread then counts as one sample. */
  perSample: number | null;
  /** Title of the part of a report or page with the profile. */
  title: string;
  /** Name of the weights. */
  name: string;
  /** Name of the total after a share, as in "18% of CPU". */
  whole: string;
  /** Why the nodes took no sample of the event. */
  none: string;
}

export const EVENTS: Readonly<Record<ProfileEvent, EventInfo>> = {
  cpu: {
    unit: 'us',
    // `cpu` uses the performance counters of Linux if it may, and otherwise a timer for each thread. 10 ms is also the resolution of the
    // timers of many Linux kernels.
    options: ['event=cpu', 'interval=10ms'],
    perSample: 10_000,
    title: 'Where the CPU went',
    name: 'CPU time',
    whole: 'CPU',
    none: 'the profiler took no sample within the measured phase; choose a longer phase',
  },
  alloc: {
    unit: 'bytes',
    options: ['alloc=512k'],
    perSample: 512 * 1024,
    title: 'Where memory is allocated',
    name: 'allocated bytes',
    whole: 'allocated bytes',
    none: 'the profiler took no sample within the measured phase; choose a longer phase',
  },
  lock: {
    unit: 'us',
    // Only a part of the shorter waits is counted.
    options: ['lock=10us'],
    perSample: null,
    title: 'Where threads wait for locks',
    name: 'time waiting for locks',
    whole: 'the time waiting for locks',
    none: 'no thread waited for a lock within the measured phase',
  },
  wall: {
    unit: 'us',
    options: ['event=wall', 'interval=50ms'],
    perSample: 50_000,
    title: 'Where the time of threads goes',
    name: 'time of threads',
    whole: 'the time of threads',
    none: 'the profiler took no sample of a thread at work within the measured phase; choose a longer phase',
  },
};

/** The keys of `measure` that decide what a trial profiles. */
export interface ProfiledMeasure {
  profile?: 'off' | ProfileSource | undefined;
  'profile-event'?: ProfileEvent | undefined;
}

/** Returns what a trial profiles; undefined without a profile. */
export const profiledIn = ({
  profile: source = 'off',
  'profile-event': event = 'cpu',
}: ProfiledMeasure): { source: ProfileSource; event: ProfileEvent; unit: ProfileUnit } | undefined =>
  source === 'off' ? undefined : { source, event, unit: EVENTS[event].unit };
