/** What the instrument itself may have added to a time that it tells, and how busy its machine was. */
import type { EncodedHistogram } from './histogram';

/** Over the measured phase, all load threads together; ms. */
export interface InstrumentDelays {
  /**
   * How long each answer may have waited for its load thread before it was timed, and its request until a connection was
   * made: an upper limit, one value for each answer.
   */
  held: EncodedHistogram;
  /** How long a message over the loopback interface, sent at random moments, took to be noticed: the floor. Null where none was. */
  noticed: EncodedHistogram | null;
}

/** Which machine generates the load: another one is another instrument. */
export interface GeneratorMachine {
  host: string;
  cores: number;
  memoryBytes: number;
  /** Version of Node.js. */
  node: string;
  os: string;
}

/** Shares of all cores of the machine that generates the load, in [0, 1]. */
export interface MachineLoad {
  /** Work of any process. */
  busy: number;
  /** Time in which others on the same hardware had its cores; 0 where the system does not tell. */
  steal: number;
  /** Work of the process that generates the load, all its threads; a part of `busy`. */
  own: number;
}

/** Of a measured phase; shares as means over its seconds. */
export interface MachineSummary extends MachineLoad {
  /** Cores that neither the generator nor the target had, `steal` included; null where that of a target on this machine is not known. */
  others: number | null;
  /** Share of the seconds in which next to nothing of the machine was idle. */
  full: number;
  /** The target runs on this machine too. */
  withTarget: boolean;
}

/** Of one process that generates load and the target, if that runs there too. */
export function summariseMachine(
  seconds: readonly MachineLoad[],
  target: { here: boolean; share: number | null },
): MachineSummary | null {
  if (seconds.length === 0) return null;
  const mean = (figure: (load: MachineLoad) => number): number =>
    seconds.reduce((sum, load) => sum + figure(load), 0) / seconds.length;
  const busy = mean((load) => load.busy);
  const steal = mean((load) => load.steal);
  const own = mean((load) => load.own);
  const targets = target.here ? target.share : 0;
  return {
    busy,
    steal,
    own,
    others: targets === null ? null : Math.max(0, busy + steal - own - targets),
    full: seconds.filter((load) => load.busy + load.steal > FULL_FROM).length / seconds.length,
    withTarget: target.here,
  };
}

/** Above this share of its cores a machine has none for what is to be done at once: one in twenty is what its own clocks and disks take. */
const FULL_FROM = 0.95;
