/** The steps that create the summary of a trial after its load. */
import { availableParallelism } from 'node:os';
import type { Disturbance } from '../../../../common/measurement/disturbance';
import type { ServerDelta } from '../../../../common/measurement/server';
import { nodeDisturbances, serverDelta } from '../../../../common/measurement/server-delta';
import type { TaskSummary } from '../../../../common/measurement/trial';
import { messageOf, runError } from '../../../../common/problem';
import { formatNumber, plural } from '../../../../common/units/format';
import type { LoadOutcome } from '../../../load/contract';
import { readTargetClock } from '../../../target-cluster/clocks';
import { pipelineDelta } from '../../../target-cluster/ingest-pipelines';
import { addDisturbances } from '../document';
import type { Needs } from '../input';
import { checkAway } from '../outage';
import { parseNotes } from '../parse';
import { replayNotes } from '../replay';
import { generatorSummary, taskSummary } from '../summary';
import type { Measured } from './measure';
import type { TaskSearchProfiles } from './search-watch';

/** A late start of the load is reported if the delay is at least this many ms. */
const NOTABLE_LATENESS_MS = 20;

const iso = (ms: number): string => new Date(ms).toISOString();

/**
 * Writes the results of the measurement to the trial's document. Also reports events that disturbed the measurement, such as a node that
 * left the cluster.
 */
export async function summarise(
  { target, generator, listener, document }: Needs<'target' | 'generator' | 'listener' | 'document'>,
  { outcome, samples, before, after, readings, profiles, searchProfiles }: Measured,
): Promise<void> {
  document.times.warmup = iso(outcome.startedAt);
  document.times.measure = iso(outcome.measureAt);
  document.times.drain = iso(outcome.measureEndedAt);
  document.tasks = outcome.tasks.map((task) => {
    const pipeline = target.pipelines.names.get(task.task);
    const summary = withSearchProfiles(taskSummary(task, samples), searchProfiles);
    if (pipeline === undefined) return summary;
    const delta = pipelineDelta(pipeline, before.pipelines, after.pipelines);
    return { ...summary, parsing: { by: 'pipeline', pipeline: delta } };
  });
  document.server =
    before.stats && after.stats ? serverDelta(before.stats, after.stats, readings, profiles) : null;
  document.generator = generatorSummary(outcome, samples, {
    here: generator.sharedMachine,
    share: shareOfCores(document.server),
  });
  if (generator.seats) document.generator.seats = generator.seats.summaries(outcome);
  if (before.stats && after.stats) addDisturbances(document, nodeDisturbances(before.stats, after.stats));
  addDisturbances(document, outcome.refusedConnections.map(refusedBy));
  document.clock = { before: target.clock, after: await readTargetClock(target.connection.atOnce) };
  for (const { kind, detail } of document.disturbances ?? [])
    if (kind !== 'clock-jumped') listener.onNote(detail);
}

/** Adds the profiles of searches to the task's requests. A request that the load did not send in the measured phase has none. */
const withSearchProfiles = (summary: TaskSummary, profiles: TaskSearchProfiles): TaskSummary => ({
  ...summary,
  requests: Object.fromEntries(
    Object.entries(summary.requests).map(([name, own]) => {
      const profile = profiles.get(summary.task)?.get(name);
      return [name, profile === undefined ? own : { ...own, profile }];
    }),
  ),
});

/** Returns the share of this machine's cores that the target's nodes used in the measured phase. Null if unknown. */
function shareOfCores(server: ServerDelta | null): number | null {
  let cores = 0;
  for (const { cpuMs, elapsedMs } of server?.perNode ?? []) {
    if (cpuMs === null || elapsedMs <= 0) return null;
    cores += cpuMs / elapsedMs;
  }
  return cores === 0 ? null : cores / availableParallelism();
}

/**
 * Returns the entry for the trial's `disturbances`: a node refused connections. The entry contains only the host of the node's URL, because
 * the URL may also contain credentials.
 */
function refusedBy({ node, refused, moved }: LoadOutcome['refusedConnections'][number]): Disturbance {
  const { host } = new URL(node);
  const went = moved === refused ? 'all' : formatNumber(moved);
  const detail = `${host} accepted no connection for ${plural(refused, 'request')}, of which ${went} went to other nodes`;
  return { kind: 'node-refused', detail, node: host };
}

/** Throws the DynoError that ends a trial whose load was stopped early, or whose target was unreachable during the load. */
export function throwIfStopped({ signal }: Needs<'signal'>, { outcome, stop }: Measured): void {
  if (signal.aborted) throw runError('run.cancelled', '', messageOf(signal.reason));
  checkAway(outcome);
  if (stop.reason !== '') throw runError(stop.code, '', stop.reason);
}

/** Adds notes about the load, its replays and its parsing, which everybody who reads the results should know. */
export function noteRemarks(
  { listener, document: { tasks } }: Needs<'listener' | 'document'>,
  { outcome }: Measured,
): void {
  const notes = [outcomeNotes(outcome), tasks.flatMap(replayNotes), tasks.flatMap(parseNotes)];
  for (const note of notes.flat()) listener.onNote(note);
}

function outcomeNotes({ stopped, lateMs, startedAt, measureAt }: LoadOutcome): string[] {
  const missingMs = Math.round(lateMs - (measureAt - startedAt));
  return [
    stopped,
    missingMs > NOTABLE_LATENESS_MS
      ? `a load thread began ${missingMs} ms late; its part of the load is missing for that time`
      : '',
  ].filter(Boolean);
}
