/** From the parsing that a definition asks for to what carries it out: threads of the load, or a pipeline of the target. */
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import type { TaskDefinition } from '../../../common/experiment/definition';
import { parsersOf, patternsOf, type ParseDefinition } from '../../../common/experiment/parse';
import { neededDefinitions } from '../../../common/grok/compile';
import type { ParseJob } from '../../load/contract';
import type { PipelineBody } from '../../target-cluster/ingest-pipelines';

/** Null where the target parses, or nobody does. */
export function parseJob(parse: ParseDefinition | undefined): ParseJob | null {
  const workers = parse === undefined ? null : parsersOf(parse);
  if (parse === undefined || workers === null) return null;
  return {
    workers,
    patterns: [...patternsOf(parse)],
    definitions: parse.patterns,
    timestamp: parse.timestamp ?? null,
    onFailure: parse['on-failure'],
  };
}

/** Tag of the processor whose failures are lines that were not parsed. */
export const GROK_TAG = 'dyno-parse';

const tagWith = (tag: string): object => ({ append: { field: 'tags', value: [tag] } });

/** The same patterns as an ingest pipeline: with their definitions, so that the target's own library plays no part. */
export function pipelineBody(parse: ParseDefinition): PipelineBody {
  const patterns = [...patternsOf(parse)];
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
    // Of the pipeline and not of the processor: a line without fields has no time to read.
    on_failure: [tagWith('_grokparsefailure')],
  };
}

/** The kinds of processors that it needs. */
export const processorsOf = ({ timestamp }: ParseDefinition): string[] => [
  'grok',
  'append',
  ...(timestamp === undefined ? [] : ['date']),
];

/** Tasks whose lines the target parses, in the definition's order. */
export const parsedByTarget = ({
  tasks,
}: Pick<CellDefinition, 'tasks'>): { task: TaskDefinition; parse: ParseDefinition }[] =>
  tasks.flatMap((task) =>
    task.ingest?.parse?.by === 'pipeline' ? [{ task, parse: task.ingest.parse }] : [],
  );
