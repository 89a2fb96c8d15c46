/** Names of runs, trials and indices, and who carries a run. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import type { RunDocument } from '../../../common/measurement/run';

/** `20261120-154512-4f2a`: sorts by time, short enough to type. */
export function newRunId(now: Date): string {
  const digits = now.toISOString().replaceAll(/[-:]/g, '');
  return `${digits.slice(0, 8)}-${digits.slice(9, 15)}-${randomBytes(2).toString('hex')}`;
}

const twoDigits = (order: number): string => String(order + 1).padStart(2, '0');

export const trialId = (runId: string, order: number): string => `${runId}-t${twoDigits(order)}`;

export const indexName = (base: string, runId: string, order: number): string =>
  `${base}-${runId}-${twoDigits(order)}`;

/** The indices of a trial: one of the name, or several that differ in their last digits. */
export const indexNames = (name: string, count: number): string[] =>
  count === 1
    ? [name]
    : Array.from({ length: count }, (_, i) => `${name}-${String(i + 1).padStart(String(count).length, '0')}`);

/** When a process started, in clock ticks since boot, so that a process id that was used again is told apart; '' where unknown. */
function startOf(pid: number): string {
  try {
    // Field 22 of /proc/<pid>/stat (proc(5)), counted after the command's name, which may hold blanks.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/** Stands for the trial in the mark of an index that only proves that it can be created. */
export const CHECK_MARK = 'check';

export type Carrier = RunDocument['run']['carrier'];

/** This process, as the carrier of runs. */
export const thisCarrier = (): Carrier => ({
  host: os.hostname(),
  pid: process.pid,
  instance: `${process.pid}-${startOf(process.pid)}`,
});

/** A carrier elsewhere is taken for dead after this long without a heartbeat, ms: twelve missed beats. */
export const SILENCE_MS = 60_000;

function processLives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a carrier on this machine lives. */
export const isLiving = ({ pid, instance }: Pick<Carrier, 'pid' | 'instance'>): boolean =>
  processLives(pid) && instance === `${pid}-${startOf(pid)}`;

/** Whether somebody still carries the run. On this machine the process table tells at once; elsewhere the heartbeat does. */
export function isCarried({ run }: Pick<RunDocument, 'run'>, now: number): boolean {
  if (run.carrier.host === os.hostname()) return isLiving(run.carrier);
  return now - Date.parse(run.heartbeat) < SILENCE_MS;
}

/**
 * Whether whoever made a claim has left it behind: on this machine the process table tells, elsewhere its age does, for
 * a run is taken only after its heartbeat has been silent as long.
 */
export function isGone({ carrier, '@timestamp': at }: { carrier: Carrier; '@timestamp': string }): boolean {
  if (carrier.host === os.hostname()) return !isLiving(carrier);
  return Date.now() - Date.parse(at) >= SILENCE_MS;
}
