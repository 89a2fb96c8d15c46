/** Delay that the load generator itself may have added to the times it reports, and how busy its machine was. */
import type { EncodedHistogram } from './histogram';

/** Delays over the measured phase, of all load threads together, in ms. */
export interface InstrumentDelays {
  /**
   * Upper bound of the delay of each answer: time that it may have waited for its load thread before its time was taken, plus
   * time that its request waited for a connection.
   */
  held: EncodedHistogram;
  /**
   * Smallest time that Dyno can measure: time until a load thread noticed a message over the loopback interface, sent at random
   * moments. Null if no message was sent.
   */
  noticed: EncodedHistogram | null;
}

/** Machine that generates the load. */
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
  /** CPU time of all processes. */
  busy: number;
  /** Time in which other virtual machines used its cores; 0 if the system does not report it. */
  steal: number;
  /** CPU time of all threads of the process that generates the load; a part of `busy`. */
  own: number;
}

/** Machine load of a measured phase. Shares are means over its seconds. */
export interface MachineSummary extends MachineLoad {
  /**
   * CPU time of processes other than the load generator and the target, `steal` included; null if the target runs on this machine
   * and its CPU time is unknown.
   */
  others: number | null;
  /** Share of the seconds in which almost nothing of the machine was idle. */
  full: number;
  /** True if the target runs on this machine too. */
  withTarget: boolean;
}

/** Summarises the load of one machine. `target` is the target's CPU time, if it runs there too. */
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

/** A machine that is busier than this share of its cores is full: it cannot start work at once. The kernel's own work needs the rest. */
const FULL_FROM = 0.95;
