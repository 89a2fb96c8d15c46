/**
 * Reads a file of recorded traffic before a run. Determines which of its requests can be sent, and to which indices. Also determines facts
 * that all load threads need, such as which connections depend on each other.
 */
import { stat } from 'node:fs/promises';
import { noTraffic, type TrafficAccount } from '../../../common/measurement/traffic';
import { stringifyPlain } from '../../../common/json/exact';
import { inputError } from '../../../common/problem';
import { isLeftOut, type IndexPlace, type IndexRule } from '../../../common/traffic/index-map';
import { type TrafficFormat, type TrafficFound, type TrafficJob } from '../../../common/traffic/job';
import { IN_TEXTS, noTimes, type TimeAccount } from '../../../common/traffic/time-shift';
import { formatNumber, plural } from '../../../common/units/format';
import { detectFormat } from '../../load/sources/detect-format';
import { TrafficReader } from '../../load/sources/traffic-reader';
import { readTraffic, recordedFormat } from '../../traffic-file/read-traffic';
import type { LogFormat } from '../../../common/replay/formats/registry';

/** Result of reading a file completely. */
export interface TrafficSurvey {
  found: TrafficFound;
  /** Expected number of recorded requests by outcome. `sent`: number of requests that can be sent. */
  account: TrafficAccount;
  /** Dates in the requests that can be sent. Not counted if they stay as recorded. */
  times: TimeAccount;
  /** Sentences about the parts of the file that could not be read. */
  lost: readonly string[];
}

/**
 * Maximum number of connections in groups. Connections that use the same ids form a group, and one load thread sends all requests of a
 * group. Every load thread receives the list of groups, so its size must be limited.
 */
const MOST_GROUPED = 100_000;
/** Maximum number of recorded names of indices that are mapped to indices of the trial individually. */
const MOST_NAMES = 10_000;
/** Number of records after which other events of the event loop are handled. */
const AT_A_STRETCH = 500;
/** Maximum number of names that a note lists. */
const SHOWN_NAMES = 10;

/** Finds groups of connections that share ids. */
class Groups {
  private readonly parents = new Map<number, number>();

  join(one: number, other: number): void {
    const [a, b] = [this.root(one), this.root(other)];
    if (a === b) return;
    this.parents.set(Math.max(a, b), Math.min(a, b));
    this.parents.set(Math.min(a, b), Math.min(a, b));
  }

  /**
   * Returns the groups that have several connections. Null if more than {@link MOST_GROUPED} connections are in groups; one load thread
   * then sends all requests.
   */
  list(): number[][] | null {
    if (this.parents.size > MOST_GROUPED) return null;
    const groups = new Map<number, number[]>();
    for (const connection of [...this.parents.keys()].sort((a, b) => a - b)) {
      const root = this.root(connection);
      const group = groups.get(root);
      if (group === undefined) groups.set(root, [connection]);
      else group.push(connection);
    }
    return [...groups.values()];
  }

  private root(connection: number): number {
    let at = connection;
    for (let next = this.parents.get(at); next !== undefined && next !== at; next = this.parents.get(at))
      at = next;
    // Shortens the path, so that the next look-up of this connection takes one step.
    if (at !== connection) this.parents.set(connection, at);
    return at;
  }
}

/**
 * Reads a file completely. `indexCount`: number of indices of the trial. Rejects with a DynoError if the file cannot be read. The result is
 * cached until the file or the job changes, because each trial needs it.
 */
export async function surveyTraffic(job: TrafficJob, indexCount: number): Promise<TrafficSurvey> {
  const { file } = job.source;
  const { size, mtimeMs } = await stat(file).catch(() => ({ size: 0, mtimeMs: 0 }));
  const key = stringifyPlain([{ ...job, found: null }, indexCount, size, mtimeMs]);
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const survey = read(job, indexCount);
  remembered.set(key, survey);
  survey.catch(() => remembered.delete(key));
  for (const oldest of remembered.keys()) {
    if (remembered.size <= MOST_SURVEYS) break;
    remembered.delete(oldest);
  }
  return survey;
}

const MOST_SURVEYS = 20;
const remembered = new Map<string, Promise<TrafficSurvey>>();

async function read(job: TrafficJob, indexCount: number): Promise<TrafficSurvey> {
  const { header, records, lost } = await readTraffic(job.source.file);
  const account = noTraffic();
  const times = noTimes();
  const groups = new Groups();
  const indices: IndexRule[] = [];
  const reader = new TrafficReader({
    job,
    // Only the number of indices matters here, not their names.
    own: Array.from({ length: indexCount }, (_, at) => `trial-${at + 1}`),
    placeOf: (name) => {
      if (indices.length < MOST_NAMES)
        indices.push({ pattern: name, to: placeOf(job, indices.length, indexCount) });
      return indices.at(-1)!.to;
    },
    onShared: (connection, creator) => {
      groups.join(connection, creator);
    },
    times,
  });
  let firstAt: number | null = null;
  let lastAt = 0;
  for await (const record of records) {
    account.records += 1;
    lastAt = Math.max(lastAt, record.at);
    const request = reader.read(record);
    if (isLeftOut(request)) {
      account.leftOut += 1;
      account.reasons[request.why] = (account.reasons[request.why] ?? 0) + 1;
    } else {
      firstAt ??= record.at;
      account.sent += 1;
      account.untranslated += request.asRecorded;
    }
    if (account.records % AT_A_STRETCH === 0) await new Promise(setImmediate);
  }
  const { startedAt } = header;
  const found = { indices, startedAt, firstAt: firstAt ?? 0, lastAt, groups: groups.list() };
  return { found, account, times, lost: lost().map(({ text }) => text) };
}

/**
 * Returns the index of the trial for a recorded index name to which no rule of the definition applies. Each further name gets the next
 * index of the trial. `number`: number of such names before this one.
 */
function placeOf({ rest }: TrafficJob, number: number, indexCount: number): IndexPlace | null {
  return rest === null || indexCount === 1 ? rest : { trial: (number % indexCount) + 1 };
}

/**
 * Returns the format of a file with recorded traffic or with a log of searches. Rejects with a DynoError if the file cannot be read, or if
 * its first lines match no format or several formats.
 */
export async function detectReplayFormat(file: string): Promise<LogFormat | TrafficFormat> {
  const format = await recordedFormat(file);
  if (format === null) return detectFormat(file);
  return format === 'dyno' ? 'traffic' : format;
}

const placeText = (to: IndexPlace | null, indexCount: number): string => {
  if (to === null) return 'left out';
  if ('existing' in to) return to.existing;
  if (to.trial === null) return indexCount === 1 ? 'the index of the trial' : 'all indices of the trial';
  return `index ${to.trial} of the trial`;
};

/** Returns the notes about a file. Throws a DynoError if none of its requests can be sent. */
export function trafficNotes(
  { source: { file }, indices }: TrafficJob,
  { found, account, lost }: TrafficSurvey,
  indexCount: number,
): string[] {
  const { records, sent, leftOut, reasons, untranslated } = account;
  const why = Object.entries(reasons)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${formatNumber(count)} because ${reason}`)
    .join('; ');
  if (records === 0) throw inputError('source.empty', file, 'contains no requests');
  if (sent === 0)
    throw inputError(
      'source.nothing-to-send',
      file,
      `none of its ${plural(records, 'request')} can be sent: ${why}`,
      {
        allowed: 'other rules in `indices`, other `types`, or `allow-writes`',
      },
    );
  const places = [...indices, ...found.indices]
    .slice(0, SHOWN_NAMES)
    .map(({ pattern, to }) => `${pattern} → ${placeText(to, indexCount)}`);
  const more = indices.length + found.indices.length - places.length;
  if (more > 0) places.push(`${formatNumber(more)} more`);
  return [
    `${file}: ${formatNumber(sent)} of ${plural(records, 'request')} can be sent` +
      (leftOut === 0 ? '' : `; ${formatNumber(leftOut)} left out: ${why}`),
    places.length === 0 ? '' : `${file}: indices: ${places.join(', ')}`,
    untranslated === 0
      ? ''
      : `${file}: ${plural(untranslated, 'id or version', 'ids or versions')} in requests will be sent as recorded, because the request whose answer contains them is left out or missing`,
    found.groups === null
      ? `${file}: more than ${formatNumber(MOST_GROUPED)} connections share ids, so one load thread sends all requests`
      : '',
    ...lost.map((text) => `${file}: ${text}`),
  ].filter(Boolean);
}

/** Returns the note about the dates in a file that move, and those that stay as recorded. '' if all dates stay. */
export function movedDatesNote(
  { source: { file }, times: job }: TrafficJob,
  { times: { moved, kept } }: TrafficSurvey,
): string {
  if (job === undefined) return '';
  const names = job.fields.map(({ name }) => name);
  const shown = names.slice(0, SHOWN_NAMES).join(', ');
  const more =
    names.length <= SHOWN_NAMES ? '' : ` and ${formatNumber(names.length - SHOWN_NAMES)} more fields`;
  const stay = Object.entries(kept)
    .sort(([, a], [, b]) => b - a)
    .map(([where, count]) => `${formatNumber(count)} ${where}`);
  return (
    `${file}: ${plural(moved, 'date')} in ${shown}${more} move to the time of the replay` +
    (stay.length === 0 ? '' : `; these dates stay as recorded: ${stay.join('; ')}`) +
    (IN_TEXTS in kept ? '. Requests with dates that stay may find other documents than in the recording' : '')
  );
}

/** Returns notes about the outcomes of a replay of traffic. */
export function replayedTrafficNotes(task: string, account: TrafficAccount | undefined): string[] {
  if (account === undefined) return [];
  const { records, sent, leftOut, unsent, untranslated } = account;
  const lost = records - sent - leftOut - unsent;
  return [
    leftOut === 0 ? '' : `${formatNumber(leftOut)} of ${plural(records, 'request')} of ${task} were left out`,
    untranslated === 0
      ? ''
      : `${plural(untranslated, 'id or version', 'ids or versions')} in requests of ${task} were sent as recorded, because no own answer contained a new one`,
    lost === 0
      ? ''
      : `${formatNumber(lost)} of ${plural(records, 'request')} of ${task} are unaccounted for: please report this`,
  ].filter(Boolean);
}
