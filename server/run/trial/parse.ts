/**
 * Parsing of the raw lines that ingest tasks read. The lines are parsed either by threads of the load generator, or by ingest pipelines of
 * the target. This module creates the pipelines, checks before the run that lines can be parsed, and reports unparsed lines.
 */
import { stringifyPlain } from '../../../common/json/exact';
import type { TaskDefinition } from '../../../common/experiment/definition';
import { parseJob, parsersOf, patternsOf, type ParseDefinition } from '../../../common/tasks/parse';
import { anchored, neededDefinitions } from '../../../common/grok/compile';
import {
  type PipelineBody,
  createIngestPipeline,
  dropIngestPipeline,
  readPipelines,
  type PipelineCounters,
  checkProcessors,
  proveIngestPipeline,
} from '../../target-cluster/ingest-pipelines';
import { messageOf, inputError } from '../../../common/problem';
import type { TargetConnection } from '../../target-cluster/connection';
import type { IndexMark } from '../../target-cluster/mark';
import { orAborted } from '../../target-cluster/or-aborted';
import { availableParallelism } from 'node:os';
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import type { Plan } from '../../../common/experiment/plan';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { tryLines } from '../../load/parse/try-lines';
import { sourceFile } from '../../load/sources/check';
import { firstLines } from '../../load/sources/first-lines';
import { accountedLines } from '../../../common/measurement/parse';
import type { TaskSummary } from '../../../common/measurement/trial';
import { formatNumber, plural } from '../../../common/units/format';

/**
 * Tag of the processor that parses lines. The target counts the failures of this processor, and each failure is a line that could not be
 * parsed.
 */
export const GROK_TAG = 'dyno-parse';

const tagWith = (tag: string): object => ({ append: { field: 'tags', value: [tag] } });

/**
 * Returns an ingest pipeline that parses lines with the patterns in `parse`. It contains the definitions of all named patterns, so that the
 * result does not depend on the target's pattern library.
 */
export function pipelineBody(parse: ParseDefinition): PipelineBody {
  const patterns = patternsOf(parse).map(anchored);
  const { timestamp } = parse;
  return {
    description: 'Parses the lines of a trial of Dyno',
    processors: [
      {
        grok: {
          tag: GROK_TAG,
          field: 'message',
          patterns,
          pattern_definitions: neededDefinitions(patterns, parse.patterns),
          ecs_compatibility: 'disabled',
        },
      },
      ...(timestamp === undefined
        ? []
        : [
            {
              date: {
                field: timestamp.field,
                formats: [timestamp.format],
                target_field: '@timestamp',
                timezone: 'UTC',
                on_failure: [tagWith('_dateparsefailure')],
              },
            },
          ]),
    ],
    // The failure handler belongs to the pipeline, not to the grok processor. Otherwise the date processor would run after grok has failed.
    on_failure: [tagWith('_grokparsefailure')],
  };
}

/** Returns the types of processors that the pipeline needs. */
export const processorsOf = ({ timestamp }: ParseDefinition): string[] => [
  'grok',
  'append',
  ...(timestamp === undefined ? [] : ['date']),
];

/** Returns the tasks whose lines the target parses, in the order of the definition. */
export const parsedByTarget = ({
  tasks,
}: Pick<CellDefinition, 'tasks'>): { task: TaskDefinition; parse: ParseDefinition }[] =>
  tasks.flatMap((task) =>
    task.ingest?.parse?.by === 'pipeline' ? [{ task, parse: task.ingest.parse }] : [],
  );

export interface TrialPipelinesInput {
  definition: CellDefinition;
  connection: TargetConnection;
  mark: Omit<IndexMark, 'created'>;
  signal: AbortSignal;
  onNote: (message: string) => void;
}

export class TrialPipelines {
  /** Name of each task's ingest pipeline. */
  readonly names: ReadonlyMap<string, string>;
  private making: Promise<void> = Promise.resolve();

  constructor(private readonly input: TrialPipelinesInput) {
    const { definition, mark } = input;
    this.names = new Map(
      parsedByTarget(definition).map(({ task }) => [task.name, `dyno-${mark.trial}-${task.name}`] as const),
    );
  }

  get all(): string[] {
    return [...this.names.values()];
  }

  /** Creates the pipelines. Rejects with a DynoError, or with the signal's reason. */
  async prepare(): Promise<void> {
    const { definition, connection, mark, signal } = this.input;
    const make = async (): Promise<void> => {
      for (const { task, parse } of parsedByTarget(definition)) {
        signal.throwIfAborted();
        await createIngestPipeline(connection, this.names.get(task.name)!, pipelineBody(parse), mark);
      }
    };
    this.making = make();
    await orAborted(this.making, signal);
  }

  /** Returns the target's counters of the pipelines; null if they cannot be read. */
  async counters(): Promise<PipelineCounters | null> {
    try {
      return await readPipelines(this.input.connection.atOnce, this.all, GROK_TAG);
    } catch (error) {
      this.input.onNote(`no ingest statistics: ${messageOf(error)}`);
      return null;
    }
  }

  /** Removes the pipelines. Adds a note for each pipeline that cannot be removed. Returns the names of these pipelines. */
  async remove(): Promise<string[]> {
    // Waits until the creation in progress has ended. Otherwise it could create a pipeline after its removal.
    await this.making.catch(() => undefined);
    const remaining: string[] = [];
    for (const name of this.all) {
      try {
        await dropIngestPipeline(this.input.connection, name);
      } catch (error) {
        remaining.push(name);
        this.input.onNote(`the ingest pipeline ${name} could not be removed: ${messageOf(error)}`);
      }
    }
    return remaining;
  }
}

/** Number of lines of a file that are checked before a run. */
const CHECKED = 1000;

export interface ParsingToCheck {
  plan: Plan;
  folder: string;
  connection: ElasticsearchClient;
  workerFile: string;
}

/** Returns whether the target parses lines in any trial of the run. The credentials then need the privilege to manage ingest pipelines. */
export const parsesInTarget = ({ cells }: Plan): boolean =>
  cells.some(({ definition }) => definition.tasks.some(({ ingest }) => ingest?.parse?.by === 'pipeline'));

/**
 * Checks that the lines of all trials can be parsed. Returns notes for the user about lines or settings that may be a problem. Rejects with
 * a DynoError.
 */
export async function checkParsing(input: ParsingToCheck): Promise<string[]> {
  const { plan, connection, folder, workerFile } = input;
  const notes = new Set<string>();
  const checked = new Set<string>();
  for (const { definition: own } of plan.cells) {
    for (const { name, ingest } of own.tasks) {
      if (!ingest?.parse) continue;
      const key = stringifyPlain([ingest.source, ingest.parse]);
      if (checked.has(key)) continue;
      checked.add(key);
      const path = `tasks.${name}.ingest.parse`;
      if (ingest.parse.by === 'pipeline') {
        await checkProcessors(connection, processorsOf(ingest.parse), path);
        await proveIngestPipeline(connection, pipelineBody(ingest.parse), `${path}.pattern`);
      }
      if (ingest.source.file !== undefined)
        notes.add(await checkLines(sourceFile(ingest.source.file, folder), ingest.parse, path, workerFile));
    }
  }
  notes.add(coresNote(plan));
  return [...notes].filter(Boolean);
}

/**
 * Parses the first lines of a file. Returns a note about lines that do not match, or ''. Rejects with a DynoError: `source.nothing-parsed`
 * if no line matches, `parse.stuck` if a line takes too long.
 */
async function checkLines(
  file: string,
  parse: ParseDefinition,
  path: string,
  workerFile: string,
): Promise<string> {
  const patterns = parseJob({ ...parse, by: 'workers' })!;
  const lines = await firstLines(file, CHECKED);
  const { tried, unparsed, example } = await tryLines({ parse: patterns, lines, path, file, workerFile });
  if (unparsed === 0) return '';
  if (unparsed === tried) {
    throw inputError(
      'source.nothing-parsed',
      `${path}.pattern`,
      `none of the first lines of ${file} matches`,
      {
        found: example,
        allowed: 'a pattern that matches its lines from their beginning',
      },
    );
  }
  return `${file}: ${unparsed} of the first ${plural(tried, 'line')} cannot be parsed (${example})`;
}

/** Returns a warning if a trial uses more parser threads than this machine has cores; otherwise ''. */
function coresNote({ cells }: Plan): string {
  const cores = availableParallelism();
  const most = Math.max(
    0,
    ...cells.map(({ definition }) =>
      definition.tasks.reduce(
        (sum, { ingest }) => sum + (ingest?.parse ? (parsersOf(ingest.parse) ?? 0) : 0),
        0,
      ),
    ),
  );
  if (most <= cores) return '';
  return (
    `${plural(most, 'parser')} on ${plural(cores, 'core')}, which the threads that send and read also need: ` +
    'more parsers than cores do not make parsing faster'
  );
}

/** Returns notes about unparsed lines. Empty if every line was parsed. */
export function parseNotes({ task, parsing }: Pick<TaskSummary, 'task' | 'parsing'>): string[] {
  if (!parsing) return [];
  if (parsing.by === 'pipeline') {
    const { pipeline } = parsing;
    if (pipeline === null) return [`the target reported nothing about the pipeline that parses ${task}`];
    return pipeline.unparsed === null || pipeline.unparsed === 0
      ? []
      : [`${plural(pipeline.unparsed, 'line')} of ${task} unparsed in the measured phase, by the pipeline`];
  }
  const { account } = parsing.parsers;
  const of = `of ${plural(account.lines, 'line')} of ${task}`;
  const shown = account.examples
    .map(({ line, reason, text }) => `line ${line} ${reason}: ${text}`)
    .join('; ');
  const lost = account.lines - accountedLines(account);
  return [
    account.unparsed === 0 ? '' : `${formatNumber(account.unparsed)} ${of} unparsed: ${shown}`,
    lost === 0 ? '' : `${formatNumber(lost)} ${of} are unaccounted for: please report this`,
  ].filter(Boolean);
}
