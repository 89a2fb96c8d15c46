/** A track as Rally's loader finds it: its indices and templates, corpora, and the schedules of its challenges. */
import * as z from 'zod';
import { inputError, showValue } from '../../problem';
import { renderJson, type TemplateInput } from './template';

const text = z.string().min(1);
/** Numbers may be written as texts: templates make them. */
const number = z.coerce.number().min(0);
const optionalNumber = number.nullish().transform((value) => value ?? undefined);
const anything = z.record(z.string(), z.unknown());

const operationSchema = z.looseObject({
  'operation-type': text,
  name: text.optional(),
  'param-source': text.optional(),
});

const phases = {
  'warmup-iterations': optionalNumber,
  iterations: optionalNumber,
  'warmup-time-period': optionalNumber,
  'time-period': optionalNumber,
  'ramp-up-time-period': optionalNumber,
};

const taskSchema = z.looseObject({
  operation: z.union([text, operationSchema]),
  name: text.optional(),
  clients: number.optional(),
  ...phases,
  schedule: text.optional(),
  'target-throughput': z.union([z.string(), z.number()]).nullish(),
  'target-interval': optionalNumber,
});

const parallelSchema = z.looseObject({
  ...phases,
  clients: number.optional(),
  'completed-by': text.optional(),
  tasks: z.array(taskSchema).min(1).max(1000),
});

const scheduleSchema = z
  .array(z.union([z.looseObject({ parallel: parallelSchema }), taskSchema]))
  .max(10_000);
const challengeSchema = z.looseObject({
  name: text,
  description: z.string().nullish(),
  default: z.boolean().optional(),
  schedule: scheduleSchema,
});

const template = z.looseObject({
  name: text,
  template: text,
  'template-path': text.optional(),
  'index-pattern': text.optional(),
  'delete-matching-indices': z.boolean().optional(),
});

const documents = z.looseObject({
  'source-file': text,
  'document-count': number,
  'base-url': text.nullish(),
  'includes-action-and-meta-data': z.boolean().optional(),
  'target-index': z.string().optional(),
  'target-data-stream': text.optional(),
});

const corpus = z.looseObject({
  name: text,
  'base-url': text.nullish(),
  'includes-action-and-meta-data': z.boolean().optional(),
  'target-index': z.string().optional(),
  'target-data-stream': text.optional(),
  documents: z.array(documents).max(10_000),
});

const trackSchema = z.looseObject({
  description: z.string().nullish(),
  indices: z.array(z.looseObject({ name: text, body: z.string().nullish() })).default([]),
  'data-streams': z.array(z.looseObject({ name: text })).default([]),
  templates: z.array(template).default([]),
  'composable-templates': z.array(template).default([]),
  'component-templates': z.array(template).default([]),
  corpora: z.array(corpus).default([]),
  operations: z.array(operationSchema).default([]),
  challenges: z.array(challengeSchema).max(1000).optional(),
  challenge: challengeSchema.optional(),
  // OpenSearch Benchmark's names for the same.
  test_procedures: z.array(challengeSchema).max(1000).optional(),
  test_procedure: challengeSchema.optional(),
  schedule: scheduleSchema.optional(),
});

/** One operation with all that its author wrote. */
export interface Operation {
  name: string;
  type: string;
  /** The name of a parameter source that is written in Python. */
  source?: string;
  params: Readonly<Record<string, unknown>>;
}

export interface Task {
  name: string;
  operation: Operation;
  clients: number;
  warmupIterations?: number;
  iterations?: number;
  /** Seconds. */
  warmupTime?: number;
  time?: number;
  rampUp?: number;
  /** Over all clients, per second, in operations or, of a bulk, in what `unit` names. */
  rate?: { value: number; unit: string };
  /** What spaces the requests, where it is not Rally's own even one. */
  schedule?: string;
}

/** What runs side by side; in Rally's schedule each follows the one before it. */
export interface Group {
  tasks: readonly Task[];
  /** At most so many clients of all tasks together, where it says so. */
  clients?: number;
  /** The task with which all of them end. */
  completedBy?: string;
}

export interface Challenge {
  name: string;
  description: string;
  isDefault: boolean;
  schedule: readonly Group[];
}

export interface Documents {
  /** Unpacked. */
  file: string;
  /** As it is offered for download. */
  archive: string;
  count: number;
  url?: string;
  /** Its lines are those of the bulk API. */
  hasActions: boolean;
  target?: string;
  isDataStream: boolean;
}

export interface NamedTemplate {
  name: string;
  pattern?: string;
  /** What its pattern stands for is deleted with it. */
  deletesMatching?: boolean;
  content: Readonly<Record<string, unknown>>;
}

export interface Track {
  name: string;
  description: string;
  indices: readonly { name: string; body: Readonly<Record<string, unknown>> | null }[];
  dataStreams: readonly string[];
  templates: readonly NamedTemplate[];
  composableTemplates: readonly NamedTemplate[];
  componentTemplates: readonly NamedTemplate[];
  corpora: readonly { name: string; documents: readonly Documents[] }[];
  challenges: readonly Challenge[];
}

const invalid = (path: string, message: string, allowed?: string): Error =>
  inputError('rally.track', path, message, allowed === undefined ? {} : { allowed });

/** Rally's own types of operations that are written with `_` here and there in old tracks. */
const typeOf = (type: string): string => type.trim();

function operationOf(
  written: string | z.output<typeof operationSchema>,
  known: ReadonlyMap<string, Operation>,
): Operation {
  if (typeof written === 'string') {
    return known.get(written) ?? { name: written, type: typeOf(written), params: {} };
  }
  const { 'operation-type': type, name = type, 'param-source': source } = written;
  return { name, type: typeOf(type), ...(source === undefined ? {} : { source }), params: written };
}

const RATE = /^(\d+(?:\.\d+)?)\s*(?:([a-z]+)\/s)?$/;

/** `target-throughput` in operations or another unit, or `target-interval` in seconds. */
function rateOf(task: z.output<typeof taskSchema>): Task['rate'] {
  const { 'target-throughput': throughput, 'target-interval': interval } = task;
  if (throughput !== undefined && throughput !== null && throughput !== '') {
    const [, value, unit = 'ops'] = RATE.exec(String(throughput).trim()) ?? [];
    if (value === undefined) {
      throw invalid(
        'target-throughput',
        `${showValue(throughput)} is no rate`,
        'a number, or one with a unit such as 5000 docs/s',
      );
    }
    return Number(value) === 0 ? undefined : { value: Number(value), unit };
  }
  return interval === undefined || interval === 0 ? undefined : { value: 1 / interval, unit: 'ops' };
}

type Written = z.output<typeof taskSchema>;
const taskOf = (
  task: Written,
  known: ReadonlyMap<string, Operation>,
  shared: Partial<z.output<typeof parallelSchema>> = {},
): Task => {
  const operation = operationOf(task.operation, known);
  const of = (key: keyof typeof phases): number | undefined => task[key] ?? shared[key];
  const rate = rateOf(task);
  return {
    name: task.name ?? operation.name,
    operation,
    clients: task.clients ?? 1,
    warmupIterations: of('warmup-iterations'),
    iterations: of('iterations'),
    warmupTime: of('warmup-time-period'),
    time: of('time-period'),
    rampUp: of('ramp-up-time-period'),
    rate,
    schedule: task.schedule,
  };
};

function groupsOf(schedule: z.output<typeof scheduleSchema>, known: ReadonlyMap<string, Operation>): Group[] {
  return schedule.map((element): Group => {
    if (!('parallel' in element)) return { tasks: [taskOf(element as Written, known)] };
    const shared = element.parallel as z.output<typeof parallelSchema>;
    return {
      tasks: shared.tasks.map((task) => taskOf(task, known, shared)),
      clients: shared.clients,
      completedBy: shared['completed-by'],
    };
  });
}

const ARCHIVE = /\.(bz2|gz|zst|zip|tgz|tar|tar\.gz)$/;

function below(value: unknown, path: string | undefined): unknown {
  if (path === undefined) return value;
  return path
    .split('.')
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}

/** The track of `track.json` in the folder of `input`. Throws a DynoError for what is wrong with it. */
export function readTrack(name: string, input: TemplateInput, file = 'track.json'): Track {
  const found = trackSchema.safeParse(renderJson(file, input));
  if (!found.success) {
    const { path, message } = found.error.issues[0]!;
    throw invalid(`${file}: ${path.map(String).join('.')}`, message, 'a track as Rally takes it');
  }
  const written = found.data;
  const object = (path: string, inside?: string): Record<string, unknown> => {
    // Index bodies and templates are rendered alone: what the track sets is not known there.
    const content = anything.safeParse(below(renderJson(path, input, ''), inside));
    if (!content.success) throw invalid(path, 'holds no JSON object');
    return content.data;
  };
  const templatesOf = (list: z.output<typeof template>[]): NamedTemplate[] =>
    list.map((one) => ({
      name: one.name,
      pattern: one['index-pattern'],
      deletesMatching: one['delete-matching-indices'] ?? true,
      content: object(one.template, one['template-path']),
    }));
  const indices = written.indices.map(({ name: own, body }) => ({
    name: own,
    body: typeof body === 'string' && body !== '' ? object(body) : null,
  }));
  const dataStreams = written['data-streams'].map(({ name: own }) => own);
  const known = new Map(
    written.operations.map((operation) => [
      operation.name ?? operation['operation-type'],
      operationOf(operation, new Map()),
    ]),
  );
  const { challenge, test_procedure: procedure, schedule } = written;
  const given = [
    written.challenges,
    written.test_procedures,
    challenge && [challenge],
    procedure && [procedure],
    schedule && [{ name: 'default', schedule }],
  ].filter((one) => one !== undefined);
  if (given.length !== 1) {
    throw invalid(
      file,
      'has no schedule, or several',
      'one of challenges, challenge, schedule; test_procedures or test_procedure of a workload',
    );
  }
  const challenges = given[0] as z.output<typeof challengeSchema>[];
  return {
    name,
    description: written.description ?? '',
    indices,
    dataStreams,
    templates: templatesOf(written.templates),
    composableTemplates: templatesOf(written['composable-templates']),
    componentTemplates: templatesOf(written['component-templates']),
    corpora: written.corpora.map((one) => ({
      name: one.name,
      documents: one.documents.map((docs): Documents => {
        const hasActions =
          docs['includes-action-and-meta-data'] ?? one['includes-action-and-meta-data'] ?? false;
        const stream =
          docs['target-data-stream'] ??
          one['target-data-stream'] ??
          (dataStreams.length === 1 ? dataStreams[0] : undefined);
        const index =
          docs['target-index'] ??
          one['target-index'] ??
          (indices.length === 1 ? indices[0]!.name : undefined);
        const url = docs['base-url'] ?? one['base-url'] ?? undefined;
        return {
          file: docs['source-file'].replace(ARCHIVE, ''),
          archive: docs['source-file'],
          count: docs['document-count'],
          ...(url === undefined ? {} : { url }),
          hasActions,
          target: hasActions ? undefined : (index ?? stream),
          isDataStream: !hasActions && index === undefined && stream !== undefined,
        };
      }),
    })),
    challenges: challenges.map((one) => ({
      name: one.name,
      description: one.description ?? '',
      isDefault: one.default ?? challenges.length === 1,
      schedule: groupsOf(one.schedule, known),
    })),
  };
}
