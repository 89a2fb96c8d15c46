/** Creates the document of a trial. Also contains the functions that any step of the trial may call to change this document. */
import type { Disturbance } from '../../../common/measurement/disturbance';
import type { TrialTimes } from '../../../common/measurement/marker';
import type { TrialDocument } from '../../../common/measurement/trial';
import { parseTime } from '../../../common/units/time';
import type { Needs } from './input';

export function newTrial({ identity, target }: Needs<'identity' | 'target'>): TrialDocument {
  const { run, experiment, id, planned, cell, repeats, cluster, lost } = identity;
  return {
    run,
    experiment,
    trial: {
      id,
      order: planned.order,
      repetition: planned.repetition,
      state: 'running',
      reason: '',
      ...(repeats === undefined ? {} : { repeats }),
      index: target.indices.names.join(),
    },
    cell,
    cluster,
    times: { started: new Date().toISOString(), warmup: null, measure: null, drain: null, ended: null },
    tasks: [],
    server: null,
    index: null,
    generator: null,
    preload: null,
    collected: null,
    clock: { before: target.clock, after: null },
    ...(lost.length > 0
      ? {
          disturbances: lost.map((name): Disturbance => ({
            kind: 'node-left',
            detail: `${name} had left before`,
            node: name,
          })),
        }
      : {}),
  };
}

/**
 * Returns the times at which the phases of a trial began and at which the trial ended, in ms since the epoch; null for those that are not
 * known.
 */
export function timesOf({ times }: TrialDocument): TrialTimes {
  const ms = (text: string | null): number | null => (text === null ? null : parseTime(text));
  const { started, warmup, measure, drain, ended } = times;
  return {
    prepare: parseTime(started),
    warmup: ms(warmup),
    measure: ms(measure),
    drain: ms(drain),
    ended: ms(ended),
  };
}

/**
 * If the wall clock has jumped since the last check, adds this to the trial's `disturbances`, and reports it. Times of day in the results
 * may then be wrong.
 */
export function seeClock({
  wallClock,
  listener,
  document,
}: Needs<'wallClock' | 'listener' | 'document'>): void {
  const detail = wallClock.look();
  if (detail === '') return;
  listener.onNote(detail);
  document.disturbances = [...(document.disturbances ?? []), { kind: 'clock-jumped', detail }];
}

/** Adds disturbances of the measurement, such as a node that left the cluster, unless the document already contains them. */
export function addDisturbances(document: TrialDocument, seen: readonly Disturbance[]): void {
  const known = document.disturbances ?? [];
  const added = seen.filter(({ detail }) => known.every((other) => other.detail !== detail));
  if (added.length > 0) document.disturbances = [...known, ...added];
}
