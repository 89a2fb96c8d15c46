/** What the instrument itself may have added to a time that it tells, and how busy its machine was. */
import type { EncodedHistogram } from './histogram';

/** Over the measured phase, all load threads together; ms. */
export interface InstrumentDelays {
  /** How long each answer may have waited for its load thread before it was timed: an upper limit, one value for each. */
  held: EncodedHistogram;
  /** How long a message over the loopback interface, sent at random moments, took to be noticed: the floor. Null where none was. */
  noticed: EncodedHistogram | null;
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
