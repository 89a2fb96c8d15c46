/** Reads a track in the same way as Rally: its indices, templates and corpora (sets of documents), and the schedules of its challenges. */
import * as z from 'zod';
import { formatPath } from '../../experiment/path';
import { stringifyPlain, type RepeatedKey } from '../../json/exact';
import { nearest } from '../../near';
import { inputError, showValue } from '../../problem';
import { BENCHMARKS, type Benchmark } from './benchmark';
import { numberOf } from './number';
import { trackValue } from './exact-track';
import { renderJson, type TemplateInput } from './template';
import { TrackedFile, type UnreadKey } from './tracked';

/* Each schema contains only the keys that the importer uses. All other keys are reported as not converted. */
const text = z.string().min(1);
/**
 * Schema of a number. A text with a number is accepted too. Everything else is refused, although JavaScript would convert `true` to 1 and
 * `""` to 0.
 */
const numberOfAtLeast = (least: number, isWhole: boolean) =>
  z
    .custom<string | number>(
      (value) => {
        const number = numberOf(value);
        return number !== undefined && number >= least && (!isWhole || Number.isInteger(number));
      },
      {
        error: ({ input }) =>
          `is ${showValue(input)}, and not a ${isWhole ? 'whole number' : 'number'} of at least ${least}`,
      },
    )
    .transform((value) => numberOf(value)!);
const number = numberOfAtLeast(0, false);
const count = numberOfAtLeast(0, true);
const clientCount = numberOfAtLeast(1, true);
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);
const optionalNumber = optional(number);
const anything = z.record(z.string(), z.unknown());

type Fields = Readonly<Record<string, unknown>>;

/** Schema of an object with any keys. The code that reads the object checks the keys that it uses. */
const open = z.custom<Fields>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  { error: 'expected an object' },
);

const operationSchema = z.object({
  'operation-type': text,
  name: text.optional(),
  'param-source': text.optional(),
});

const phases = {
  'warmup-iterations': optional(count),
  iterations: optional(count),
  'warmup-time-period': optionalNumber,
  'time-period': optionalNumber,
  'ramp-up-time-period': optionalNumber,
};
type Phases = z.output<z.ZodObject<typeof phases>>;

const taskSchema = z.object({
  operation: z.union([text, open], { error: 'expected the name of an operation, or an object' }),
  name: text.optional(),
  clients: clientCount.optional(),
  ...phases,
  schedule: text.nullish(),
  'target-throughput': z.union([z.string(), z.number()]).nullish(),
  'target-interval': optionalNumber,
});
type WrittenTask = z.output<typeof taskSchema>;
/** Keys of a task that the importer knows. */
export const TASK_KEYS: readonly string[] = Object.keys(taskSchema.shape);

const parallelSchema = z.object({
  ...phases,
  clients: optional(clientCount),
  'completed-by': text.nullish(),
  tasks: z.array(open).min(1).max(1000),
});

/** Keys of a parallel element that the importer uses. */
export const PARALLEL_KEYS: readonly string[] = Object.keys(parallelSchema.shape);

const scheduleSchema = z.array(open).min(1).max(10_000);
const challengeSchema = z.object({
  name: text,
  description: z.string().nullish(),
  'user-info': z.string().nullish(),
  default: z.boolean().nullish(),
  schedule: scheduleSchema,
});

const template = z.object({
  name: text,
  template: text,
  'template-path': text.nullish(),
  'index-pattern': text.nullish(),
  'delete-matching-indices': z.boolean().nullish(),
});

const target = {
  'base-url': text.nullish(),
  'source-format': text.nullish(),
  'includes-action-and-meta-data': z.boolean().nullish(),
  'target-index': z.string().nullish(),
  'target-data-stream': text.nullish(),
};

const documents = z.object({ 'source-file': text, 'document-count': count, ...target });
const corpus = z.object({ name: text, ...target, documents: z.array(documents).max(10_000) });

const trackSchema = z.object({
  description: z.string().nullish(),
  // The name is empty if a template produces no text for it. Only the operations on this index then lack a name.
  indices: z.array(z.object({ name: z.string(), body: z.string().nullish() })).default([]),
  'data-streams': z.array(z.object({ name: text })).default([]),
  templates: z.array(template).default([]),
  'composable-templates': z.array(template).default([]),
  'component-templates': z.array(template).default([]),
  corpora: z.array(corpus).default([]),
  operations: z.array(open).default([]),
  challenges: z.array(open).max(1000).optional(),
  challenge: open.optional(),
  // OpenSearch Benchmark has other names for the same keys.
  test_procedures: z.array(open).max(1000).optional(),
  test_procedure: open.optional(),
  schedule: scheduleSchema.optional(),
});

/** An operation of the track with all its keys. */
export interface Operation {
  name: string;
  type: string;
  /** Name of the parameter source: Python code of the track that determines the parameters. */
  source?: string;
  /** Parameters of the operation. The importer records which keys of this object are read. */
  params: Fields;
  /** Path of the operation in its file. Absent if the task contains only the name or the type of an operation. */
  place?: string;
}

export interface Task {
  name: string;
  operation: Operation;
  /** Path of the task in its file, such as `schedule[0]`. */
  place: string;
  clients: number;
  warmupIterations?: number;
  iterations?: number;
  /** Duration of the warm-up, in s. */
  warmupTime?: number;
  time?: number;
  rampUp?: number;
  /** Rate of all clients together. `value`: number per second. `unit`: what is counted, as in the track: `ops`, `docs` or another unit. */
  rate?: { value: number; unit: string };
  /**
   * Name of the scheduler, which determines the times between requests. Absent if the track uses Rally's default, which sends requests at
   * equal intervals.
   */
  schedule?: string;
}

/** An element of a schedule. The tasks of an element run in parallel; the elements run one after the other. */
export interface Group {
  tasks: readonly Task[];
  /** Path of the element in its file. */
  place: string;
  /** Maximum number of clients of all tasks together. Absent if the track sets none. */
  clients?: number;
  /** Name of the task whose end also ends the other tasks of the element. `any`: the first task that ends. */
  completedBy?: string;
}

export interface Challenge {
  name: string;
  description: string;
  /** Message that Rally shows to the user before it starts the challenge. */
  userInfo: string;
  isDefault: boolean;
  /** Path of the challenge in its file; '' if the file contains only a schedule. */
  place: string;
  schedule: readonly Group[];
}

export interface Documents {
  /** Name of the unpacked file with documents. */
  file: string;
  /** Name of the file as it is downloaded, usually an archive. */
  archive: string;
  count: number;
  url?: string;
  /** Format of the file with documents. `bulk` means JSON lines. */
  format: string;
  /** Whether the file contains the action lines of bulk requests. */
  hasActions: boolean;
  target?: string;
  isDataStream: boolean;
}

export interface NamedTemplate {
  name: string;
  pattern?: string;
  /** Whether the operation that deletes the template also deletes the indices that match its pattern. */
  deletesMatching?: boolean;
  content: Fields;
}

export interface Track {
  name: string;
  /** Name of the main file of the track. */
  file: string;
  benchmark: Benchmark;
  description: string;
  indices: readonly { name: string; body: Fields | null }[];
  dataStreams: readonly string[];
  templates: readonly NamedTemplate[];
  composableTemplates: readonly NamedTemplate[];
  componentTemplates: readonly NamedTemplate[];
  corpora: readonly { name: string; documents: readonly Documents[] }[];
  /** Names of the operations to which tasks can refer. */
  operations: readonly string[];
  challenges: readonly Challenge[];
  /** Records which keys of the track's main file the importer reads. */
  tracked: TrackedFile;
  /** Keys that occur several times in an object. Only their last values are used. */
  repeated: readonly (RepeatedKey & { file: string })[];
  /** Returns the keys that the importer has not read so far. */
  unread(): UnreadKey[];
}

const RATE = /^((?:\d*\.)?\d+)\s*(?:(\w+)\/s)?$/;
const ARCHIVE = /\.(bz2|gz|zst|zip|tgz|tar|tar\.gz)$/;

function below(value: unknown, path: string | undefined): unknown {
  if (path === undefined) return value;
  return path
    .split('.')
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}

/** Returns the message of a schema's issue. It continues a sentence that begins with the path. */
function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.input === undefined) return 'is missing';
  if (issue.code === 'too_small') return 'is empty';
  if (issue.code === 'custom') return issue.message;
  return issue.message.toLowerCase();
}

/** Reads the parts of one file of a track. Errors contain the file and the path in it. */
class TrackReader {
  /** Operations to which tasks can refer, by name. */
  readonly operations = new Map<string, Operation>();

  constructor(
    private readonly file: string,
    private readonly benchmark: Benchmark,
    private readonly tracked: TrackedFile,
  ) {}

  wrong(path: string, message: string, allowed?: string): Error {
    const where = path === '' ? this.file : `${this.file}: ${path}`;
    return inputError('rally.track', where, message, allowed === undefined ? {} : { allowed });
  }

  parse<Schema extends z.ZodType>(schema: Schema, value: unknown, path: string): z.output<Schema> {
    const found = schema.safeParse(value, { reportInput: true });
    if (found.success) return found.data;
    const issue = found.error.issues[0]!;
    const at = [path, formatPath(issue.path)].filter((part) => part !== '').join('.');
    throw this.wrong(
      at.replaceAll('.[', '['),
      wordsOf(issue),
      `a ${this.benchmark.track} that is valid for ${this.benchmark.name}`,
    );
  }

  readOperations(written: readonly Fields[]): void {
    const all = written.map((operation) => this.operation(operation));
    this.refuseTwins('operation', all as (Operation & { place: string })[]);
    for (const own of all) this.operations.set(own.name, own);
  }

  /**
   * Throws if two of the objects have the same name. Rally and OpenSearch Benchmark refuse this too, because one of the objects would never
   * be used. `what`: name of the kind of object, for the error.
   */
  refuseTwins(what: string, all: readonly { name: string; place: string }[]): void {
    const places = new Map<string, string>();
    for (const { name, place } of all) {
      const before = places.get(name);
      if (before !== undefined)
        throw this.wrong(
          place,
          `is the second ${what} with the name ${name}: the first one is ${before}`,
          `a unique name for each ${what}`,
        );
      places.set(name, place);
    }
  }

  private operation(written: Fields): Operation {
    const place = this.tracked.pathOf(written);
    const given = this.parse(operationSchema, written, place);
    const { 'operation-type': type, name = type, 'param-source': source } = given;
    return { name, type: type.trim(), ...(source === undefined ? {} : { source }), params: written, place };
  }

  private operationOf(written: string | Fields): Operation {
    if (typeof written !== 'string') return this.operation(written);
    return this.operations.get(written) ?? { name: written, type: written.trim(), params: {} };
  }

  /**
   * Returns the rate of a task. `target-throughput` is a number of operations or other units per second, and `target-interval` is the time
   * between operations in s.
   */
  private rate(task: WrittenTask, place: string): Task['rate'] {
    const { 'target-throughput': throughput, 'target-interval': interval } = task;
    const isGiven = throughput !== undefined && throughput !== null && throughput !== '';
    if (isGiven && interval !== undefined)
      throw this.wrong(place, 'has both target-throughput and target-interval', 'one of them');
    if (!isGiven)
      return interval === undefined || interval === 0 ? undefined : { value: 1 / interval, unit: 'ops' };
    const [, value, unit = 'ops'] = RATE.exec(String(throughput).trim()) ?? [];
    if (value === undefined) {
      throw this.wrong(
        `${place}.target-throughput`,
        `${showValue(throughput)} is not a rate`,
        'a number, or one with a unit such as 5000 docs/s',
      );
    }
    return Number(value) === 0 ? undefined : { value: Number(value), unit };
  }

  /**
   * Throws if a task has contradictory keys for its duration, such as a time period and a number of iterations. Rally and OpenSearch
   * Benchmark refuse such tasks too.
   */
  private checkPhases(task: Task): void {
    const { place, rampUp, warmupTime, time, iterations, warmupIterations } = task;
    if (
      (warmupIterations !== undefined && time !== undefined) ||
      (iterations !== undefined && warmupTime !== undefined)
    )
      throw this.wrong(
        place,
        'mixes time periods and iterations',
        'warmup-time-period with time-period, or warmup-iterations with iterations',
      );
    // A ramp-up of 0 means that there is no ramp-up.
    if (rampUp === undefined || rampUp === 0) return;
    if (iterations !== undefined || warmupIterations !== undefined)
      throw this.wrong(
        place,
        `has a ramp-up-time-period of ${rampUp} s and counts iterations`,
        'a ramp-up-time-period with warmup-time-period and time-period',
      );
    if (warmupTime === undefined || warmupTime < rampUp)
      throw this.wrong(
        place,
        `has a ramp-up-time-period of ${rampUp} s and a warmup-time-period of ${warmupTime ?? 0} s, so the ramp-up would extend into the measured phase`,
        `a warmup-time-period of at least ${rampUp}, or a shorter ramp-up-time-period`,
      );
  }

  private task(written: WrittenTask, place: string, shared: Partial<Phases> = {}): Task {
    const operation = this.operationOf(written.operation);
    const of = (key: keyof Phases): number | undefined => written[key] ?? shared[key];
    const task: Task = {
      name: written.name ?? operation.name,
      operation,
      place,
      clients: written.clients ?? 1,
      warmupIterations: of('warmup-iterations'),
      iterations: of('iterations'),
      warmupTime: of('warmup-time-period'),
      time: of('time-period'),
      rampUp: of('ramp-up-time-period'),
      rate: this.rate(written, place),
      schedule: written.schedule ?? undefined,
    };
    this.checkPhases(task);
    return task;
  }

  schedule(written: readonly Fields[], path: string, challenge: string): Group[] {
    return written.flatMap((element, at): Group[] => {
      const place = `${path}[${at}]`;
      if ('parallel' in element) return [this.parallel(element['parallel'], `${place}.parallel`)];
      const task = this.parse(taskSchema, element, place);
      if (this.benchmark !== BENCHMARKS.osb || !('clients_list' in element))
        return [{ tasks: [this.task(task, place)], place }];
      // `clients_list`: OpenSearch Benchmark executes the task once for each number of clients.
      const clients = this.parse(
        z.array(clientCount).min(1),
        element['clients_list'],
        `${place}.clients_list`,
      );
      return clients.map((count) => ({
        tasks: [this.task({ ...task, clients: count, name: `${challenge}_${count}_clients` }, place)],
        place,
      }));
    });
  }

  private parallel(written: unknown, place: string): Group {
    const shared = this.parse(parallelSchema, written, place);
    const rampUp = shared['ramp-up-time-period'];
    const tasks = shared.tasks.map((one, at) => {
      const own = `${place}.tasks[${at}]`;
      const task = this.parse(taskSchema, one, own);
      const ramp = task['ramp-up-time-period'];
      if (ramp !== undefined && ramp !== rampUp)
        throw this.wrong(
          own,
          `has a ramp-up-time-period of ${ramp} s, but its parallel element has ${rampUp === undefined ? 'none' : `one of ${rampUp} s`}`,
          'a ramp-up-time-period only in the parallel element',
        );
      return this.task(task, own, shared);
    });
    const completedBy = shared['completed-by'] ?? undefined;
    const named = tasks.filter(({ name }) => name === completedBy);
    const isAny = completedBy === 'any' && this.benchmark === BENCHMARKS.rally;
    if (completedBy !== undefined && !isAny && named.length !== 1) {
      const meant = nearest(
        completedBy,
        tasks.map(({ name }) => name),
      );
      throw this.wrong(
        `${place}.completed-by`,
        named.length > 1
          ? `${named.length} tasks of this element have the name ${completedBy}`
          : `no task of this element has the name ${completedBy}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
        tasks.map(({ name }) => name).join(', '),
      );
    }
    return { tasks, place, clients: shared.clients, completedBy };
  }
}

/**
 * Reads a track. `name`: name of the track. `file`: path of its main file, which `input.files` can read. Throws a DynoError if the track is
 * invalid.
 */
export function readTrack(
  name: string,
  input: TemplateInput,
  benchmark: Benchmark = BENCHMARKS.rally,
  file = benchmark.file,
): Track {
  const tracked = new TrackedFile(file);
  const repeated = new Map<string, Track['repeated'][number]>();
  const jsonOf = (path: string, folder?: string): unknown =>
    renderJson(
      path,
      input,
      (one) => repeated.set(stringifyPlain([path, one.owner, one.key]), { file: path, ...one }),
      folder,
    );
  const root = tracked.view(trackValue(jsonOf(file)));
  const reader = new TrackReader(file, benchmark, tracked);
  const written = reader.parse(trackSchema, root, '');
  const object = (path: string, inside?: string | null): Fields => {
    // Like Rally, renders the bodies of indices and templates separately, without the variables of the track.
    const content = anything.safeParse(below(jsonOf(path, ''), inside ?? undefined));
    if (!content.success) throw inputError('rally.track', path, 'contains no JSON object');
    return content.data;
  };
  const templatesOf = (list: z.output<typeof template>[]): NamedTemplate[] =>
    list.map((one) => ({
      name: one.name,
      pattern: one['index-pattern'] ?? undefined,
      deletesMatching: one['delete-matching-indices'] ?? true,
      content: object(one.template, one['template-path']),
    }));
  const indices = written.indices.map(({ name: own, body }) => ({
    name: own,
    body: typeof body === 'string' && body !== '' ? object(body) : null,
  }));
  const dataStreams = written['data-streams'].map(({ name: own }) => own);
  reader.refuseTwins(
    'corpus',
    written.corpora.map(({ name: own }, at) => ({ name: own, place: `corpora[${at}]` })),
  );
  reader.readOperations(written.operations);
  const { challenges, challenge, test_procedures: procedures, test_procedure: procedure, schedule } = written;
  const listed = challenges ?? procedures ?? [challenge ?? procedure].filter((one) => one !== undefined);
  const given = [challenges, procedures, challenge, procedure, schedule].filter((one) => one !== undefined);
  if (given.length !== 1) {
    throw reader.wrong(
      '',
      given.length === 0 ? 'has no schedule' : 'has several keys with a schedule',
      benchmark === BENCHMARKS.osb
        ? 'one of test_procedures, test_procedure, schedule'
        : 'one of challenges, challenge, schedule',
    );
  }
  const read =
    schedule === undefined
      ? listed.map((one) => {
          const place = tracked.pathOf(one);
          return { place, ...reader.parse(challengeSchema, one, place) };
        })
      : [{ name: 'default', place: '', schedule, description: '', 'user-info': '', default: true }];
  const scheduleOf = (one: (typeof read)[number]): Group[] => {
    const groups = reader.schedule(
      one.schedule,
      `${one.place === '' ? '' : `${one.place}.`}schedule`,
      one.name,
    );
    reader.refuseTwins(
      'task',
      groups.flatMap(({ tasks }) => tasks),
    );
    return groups;
  };
  reader.refuseTwins(benchmark.challenge, read);
  const [first, second] = read.filter((one) => one.default === true);
  if (second !== undefined)
    throw reader.wrong(
      second.place,
      `and ${first!.place} are both the default ${benchmark.challenge}`,
      `"default": true in one ${benchmark.challenge}`,
    );
  return {
    name,
    file,
    benchmark,
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
          format: docs['source-format'] ?? one['source-format'] ?? 'bulk',
          hasActions,
          target: hasActions ? undefined : (index ?? stream),
          isDataStream: !hasActions && index === undefined && stream !== undefined,
        };
      }),
    })),
    operations: [...reader.operations.keys()],
    challenges: read.map((one) => ({
      name: one.name,
      description: one.description ?? '',
      userInfo: one['user-info'] ?? '',
      isDefault: one.default ?? read.length === 1,
      place: one.place,
      schedule: scheduleOf(one),
    })),
    tracked,
    repeated: [...repeated.values()],
    unread: () => tracked.unread(root as object),
  };
}
