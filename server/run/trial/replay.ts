/**
 * Replays of logs: creates the load of a replay, checks before a run that searches of a log can be sent, and reports lines that were not
 * sent.
 */
import { stringifyPlain } from '../../../common/json/exact';
import type { TaskDefinition } from '../../../common/experiment/definition';
import {
  existingIndices,
  isTraffic,
  replay as replayKind,
  type LogSource,
  type ReplayDefinition,
  type ReplayJob,
  type ReplayWork,
} from '../../../common/tasks/replay';
import { isTrafficFormat, type TrafficFormat, type TrafficJob } from '../../../common/traffic/job';
import { sourceFile } from '../../load/sources/check';
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import type { Plan } from '../../../common/experiment/plan';
import type { Offered } from '../../../common/elasticsearch/capabilities';
import { engineOf, type Engine } from '../../../common/elasticsearch/engine';
import type { ResolvedCell } from '../../../common/experiment/resolved-cells';
import { requestedCluster } from '../../../common/experiment/requested-cluster';
import { inputError, type DynoError } from '../../../common/problem';
import { MissingInLog } from './missing-in-log';
import type { LogFormat } from '../../../common/replay/formats/registry';
import type { LogRules } from '../../../common/replay/judge';
import { inspectLog, lostNote, otherKindNote, type LogFacts } from '../../load/sources/inspect-log';
import { logName } from '../../load/sources/log-source';
import { accountedFor, type LineExample } from '../../../common/measurement/replay';
import type { TaskSummary } from '../../../common/measurement/trial';
import { trafficKind } from '../../../common/traffic/kind';
import { timeFieldsOf, type TimeField } from '../../../common/traffic/time-shift';
import { readTraffic } from '../../traffic-file/read-traffic';
import {
  detectReplayFormat,
  movedDatesNote,
  replayedTrafficNotes,
  surveyTraffic,
  trafficNotes,
} from './traffic';
import { formatNumber, plural } from '../../../common/units/format';

/** A task that replays a log. */
export type ReplayTask = Pick<TaskDefinition, 'name' | 'executor'> & { replay: ReplayDefinition };

export const replayJob = (
  { name, replay, executor }: ReplayTask,
  { index, seed }: CellDefinition,
  folder: string,
  engine?: Engine,
): ReplayJob | TrafficJob =>
  replayKind.job(replay, {
    name,
    executor,
    index,
    engine,
    seed,
    resolveFile: (file) => sourceFile(file, folder),
    pipeline: undefined,
  });

/** Number of lines of a log that are checked before a run. */
const CHECKED = 1000;

export interface ReplaysToCheck {
  plan: Pick<Plan, 'cells'>;
  folder: string;
  /**
   * Returns the engine, version and plugins of the target for a combination of factor levels; undefined if they are not known yet. Default:
   * always undefined.
   */
  targetOf?: (cell: ResolvedCell) => Offered | undefined;
}

/** Returns the rules that decide which lines of a log are sent. */
const rulesOf = (
  {
    types,
    everyShard,
    timed,
    rewrite,
    accept,
    route,
    routing,
  }: Omit<ReplayJob, 'source' | 'format' | 'params' | 'repeat'>,
  format: LogFormat,
): LogRules => ({
  format,
  types: types === null ? null : new Set(types),
  everyShard,
  timed,
  route,
  routing,
  rewrite: new Set(rewrite),
  accept: new Set(accept),
});

/** The existing indices of a trial. Only replays that move dates need them. */
export interface ReplayedIndices {
  /** Names of the indices of the trial. */
  names: readonly string[];
  /** Reads the mappings of indices. */
  mappingsOf: (names: readonly string[]) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  onNote: (message: string) => void;
}

/**
 * Returns the definition with the formats of all files. Missing formats are detected from the first lines of a file. Files with recorded
 * traffic are read completely, because all load threads need the same facts about a file, such as its first time. `engine`: engine of the
 * target; some requests cannot be sent to every engine. `indices`: absent while the indices of the trial do not exist; then no dates move.
 * Rejects with a DynoError.
 */
export async function withFoundFormats(
  definition: CellDefinition,
  folder: string,
  engine: Engine,
  indices?: ReplayedIndices,
): Promise<CellDefinition> {
  const tasks: TaskDefinition[] = [];
  for (const task of definition.tasks) {
    const { replay } = task;
    tasks.push(
      replay?.file === undefined
        ? task
        : { ...task, replay: await withFound({ ...task, replay }, definition, { folder, engine, indices }) },
    );
  }
  return { ...definition, tasks };
}

async function withFound(
  task: ReplayTask,
  definition: CellDefinition,
  { folder, engine, indices }: { folder: string; engine: Engine; indices: ReplayedIndices | undefined },
): Promise<ReplayWork> {
  const { replay } = task;
  const format = replay.format ?? (await detectReplayFormat(sourceFile(replay.file!, folder)));
  if (isTrafficFormat(format) !== isTraffic(replay)) throw otherThanNamed(replay.file!, format);
  const known: ReplayWork = { ...replay, format };
  if (replay.times === 'shift' && indices !== undefined)
    known.timeFields = await timeFields(task.name, replay, indices);
  const job = replayJob({ ...task, replay: known }, definition, folder, engine);
  if (!('traffic' in job)) return known;
  const survey = await surveyTraffic(job, definition.index.count);
  const note = movedDatesNote(job, survey);
  if (note !== '') indices?.onNote(note);
  return { ...known, found: survey.found };
}

/**
 * Checks before a run whether every replay with `times: shift` finds fields whose dates can move. Rejects with a DynoError (input) if one
 * finds none, or if the format of a field differs between indices.
 */
export async function checkMovedDates(
  { tasks }: Pick<CellDefinition, 'tasks'>,
  indices: Pick<ReplayedIndices, 'names' | 'mappingsOf'>,
): Promise<void> {
  for (const { name, replay } of tasks)
    if (replay?.times === 'shift') await timeFields(name, replay, indices);
}

/**
 * Returns the fields whose dates move. Formats come from the mappings. A field that no mapping contains has the default format. Rejects with
 * a DynoError (input) if there is no such field, or if its format differs between indices.
 */
async function timeFields(
  task: string,
  replay: ReplayDefinition,
  { names, mappingsOf }: Pick<ReplayedIndices, 'names' | 'mappingsOf'>,
): Promise<TimeField[]> {
  const named = replay['time-fields'];
  const found = new Map<string, TimeField>();
  for (const mapping of await mappingsOf([...names, ...existingIndices(replay)]))
    for (const field of timeFieldsOf(mapping)) {
      if (named !== undefined && !named.includes(field.name)) continue;
      const known = found.get(field.name);
      if (known !== undefined && known.format !== field.format)
        throw inputError(
          'replay.time-format',
          task,
          `the format of ${field.name} differs between the indices`,
          {
            found: [known, field].map(({ format }) => format ?? 'the default format').join(', '),
            allowed: 'one format, or `time-fields` without this field',
          },
        );
      found.set(field.name, field);
    }
  for (const name of named ?? [])
    if (!found.has(name)) found.set(name, { name, format: null, isNanos: false });
  if (found.size === 0)
    throw inputError('replay.no-time-fields', task, 'no date can move: the mappings contain no date field', {
      allowed: 'the names of the fields in `time-fields`, or `times: recorded`',
    });
  return [...found.values()];
}

/**
 * Returns the error for a file whose content has another format than expected. The definition has no key `format`, so the expected format
 * follows from the name of the file and the other keys of the task.
 */
const otherThanNamed = (file: string, format: LogFormat | TrafficFormat): DynoError =>
  inputError(
    'source.other-content',
    file,
    isTrafficFormat(format)
      ? 'contains recorded traffic, but its name is not that of a file of traffic'
      : 'contains searches, but its name, `indices` or `allow-writes` mean recorded traffic',
    { found: format, allowed: `format: ${format}` },
  );

/**
 * Checks the first lines of a log. If `target` is given, also checks whether it supports the features that the searches use. Returns a
 * note, or ''. Rejects with a DynoError if no lines can be sent, or if the target cannot answer any of them.
 */
async function checkLog(source: LogSource, rules: LogRules, target: Offered | undefined): Promise<string> {
  const lacking = target && new MissingInLog(target);
  const facts = await inspectLog(source, rules, CHECKED, ({ body }, line) => lacking?.meet(body, line));
  const { account, ended } = facts;
  const name = logName(source);
  if (account.lines === 0) throw inputError('source.empty', name, 'contains no searches');
  if (account.sent === 0 && (ended || account.malformed + account.refused > 0))
    throw nothingToSend(name, account);
  if (lacking !== undefined && account.sent > 0 && lacking.lacking === account.sent)
    throw inputError(
      'target.missing-feature',
      name,
      `the target can answer none of its first ${plural(account.sent, 'search', 'searches')}: ${lacking.note()}`,
      { allowed: 'another log, other types, or another target' },
    );
  const { malformed, refused, lines } = account;
  const notes = [
    malformed + refused === 0 ? '' : `${malformed} malformed and ${refused} refused`,
    lostNote(facts),
    otherKindNote(facts),
    lacking?.note() ?? '',
  ].filter(Boolean);
  return notes.length === 0 ? '' : `${name}: of its first ${plural(lines, 'line')}, ${notes.join('; ')}`;
}

function nothingToSend(file: string, account: LogFacts['account']): Error {
  const example = account.malformedExamples[0] ?? account.refusedExamples[0];
  const others =
    account.repeated > account.otherType
      ? 'all are from shards other than 0, or from the fetch phase (everyShard includes them)'
      : 'all have other types';
  const why = example === undefined ? others : `line ${example.line} ${example.reason}`;
  return inputError('source.nothing-to-send', file, `none of its first lines can be sent: ${why}`, {
    found: example?.text,
    allowed: 'another format, types, or rewrite',
  });
}

/** Compares the first requests of a file of traffic with the features of the target. Returns a note, or ''. */
async function missingInTraffic(file: string, target: Offered): Promise<string> {
  const lacking = new MissingInLog(target);
  let read = 0;
  for await (const record of (await readTraffic(file)).records) {
    read += 1;
    if (trafficKind(record.method, record.path).effect !== 'other') lacking.meetRequest(record, read);
    if (read === CHECKED) break;
  }
  const note = lacking.note(['request', 'requests']);
  return note === '' ? '' : `${file}: of its first ${plural(read, 'request')}, ${note}`;
}

/** Checks the logs of all trials, and whether their requests can be sent. Returns notes for the run. Rejects with a DynoError. */
export async function checkReplays({
  plan,
  folder,
  targetOf = () => undefined,
}: ReplaysToCheck): Promise<string[]> {
  const notes = new Set<string>();
  const checked = new Set<string>();
  for (const cell of plan.cells) {
    const { definition } = cell;
    const target = targetOf(cell);
    const engine = target?.engine ?? engineOf(requestedCluster(definition.environment));
    const own = await withFoundFormats(definition, folder, engine);
    for (const { name, replay, executor } of own.tasks) {
      if (!replay) continue;
      const job = replayJob({ name, replay, executor }, own, folder, engine);
      const key = `${stringifyPlain(job)} ${String(target === undefined)}`;
      if (checked.has(key)) continue;
      checked.add(key);
      if ('traffic' in job) {
        const { count } = own.index;
        for (const note of trafficNotes(job, await surveyTraffic(job, count), count)) notes.add(note);
        if (target !== undefined) notes.add(await missingInTraffic(job.source.file, target));
      } else notes.add(await checkLog(job.source, rulesOf(job, job.format!), target));
    }
  }
  return [...notes].filter(Boolean);
}

const shown = (examples: readonly LineExample[]): string =>
  examples.map(({ line, reason }) => `line ${line} ${reason}`).join('; ');

/** Returns notes about a replay. Empty if all of its requests were sent in time. */
export function replayNotes({
  task,
  replay,
  traffic,
}: Pick<TaskSummary, 'task' | 'replay' | 'traffic'>): string[] {
  if (!replay) return replayedTrafficNotes(task, traffic);
  const { lines, malformed, refused, late, malformedExamples, refusedExamples } = replay;
  const of = `of ${plural(lines, 'line')} of the log of ${task}`;
  return [
    malformed === 0 ? '' : `${formatNumber(malformed)} ${of} malformed: ${shown(malformedExamples)}`,
    refused === 0 ? '' : `${formatNumber(refused)} ${of} refused: ${shown(refusedExamples)}`,
    late === 0
      ? ''
      : `${formatNumber(late)} ${of} were so far out of order that they were sent as soon as they were read`,
    accountedFor(replay) === lines
      ? ''
      : `${formatNumber(lines - accountedFor(replay))} ${of} are unaccounted for: please report this`,
  ].filter(Boolean);
}
