/**
 * Converts a challenge of a Rally track to definitions. Rally executes the elements of a challenge's schedule one after the other. Each
 * element becomes one definition, and users run the definitions in this order on the same indices.
 *
 * Many elements send a request only once, for example to create an index. Successive elements of this kind are joined in one definition.
 */
import { checkExtent, formatYaml, parseText } from '../../experiment/document';
import { readDefinition } from '../../experiment/read';
import { EXISTING_NAMES } from '../../elasticsearch/existing-names';
import { exactText, parseExact } from '../../json/exact';
import { DynoError } from '../../problem';
import { requestKey } from '../../measurement/metric';
import { LONGEST_LIST } from '../../fields/schema';
import { sentBy } from './sent';
import { convert, type Conversion } from './operations/registry';
import { inPath, type DrawnData, type Python } from './operations/operation';
import { trackValue } from './exact-track';
import { clientNotes, executorOf, isOnce, phasesOf, rateFault, scheduleNotes } from './pace';
import { isSameJson } from './same';
import type { ExpandedTask } from './expansion';
import type { Challenge, Group, Operation, Task, Track } from './track';
import type { UnreadKey } from './tracked';
import { generic, typed, type Wire, type WrittenWork } from './wire';

type Fields = Readonly<Record<string, unknown>>;

/**
 * How an operation was converted: to a specific kind of request (`typed`), to requests of the kind `http` (`generic`), to the ingestion of
 * documents (`ingest`), or not at all (`left`).
 */
export type Standing = 'typed' | 'generic' | 'ingest' | 'left';

export interface ConvertedTask {
  task: Task;
  /** Index of the operation's element in the schedule, from 0. */
  group: number;
  standing: Standing;
  /** Reason why the operation was left out. Undefined if it was converted. */
  reason?: string;
  /** The feature of Dyno that is most similar to the operation, if it was left out. */
  nearest?: string;
  /** Differences between the converted and the original operation, as sentences for the report. */
  notes: readonly string[];
  /** Requests that the written definition sends for the operation. Empty for bulk operations and operations that were left out. */
  sent: readonly Wire[];
  /**
   * File with values for the requests of the operation, which the importer writes. Undefined unless the values come from Python code of the
   * track.
   */
  data?: DrawnData;
  /** Documents that the operation indexes, if it is a bulk operation. */
  ingest?: Extract<Conversion, { ingest: unknown }>['ingest'];
}

export interface DefinitionFile {
  /** Name of the file with the definition, without its extension. */
  name: string;
  definition: Fields;
}

export interface ConvertedChallenge {
  track: Track;
  challenge: Challenge;
  files: DefinitionFile[];
  tasks: ConvertedTask[];
  /** Parts of the track that a definition cannot express, each with its consequence for the load. */
  lost: LostValue[];
  /** Keys of this challenge and its converted operations that the importer did not use. */
  unread: UnreadKey[];
  /** Keys that occur several times in an object of this challenge. Only their last values are used. */
  repeated: Track['repeated'];
}

export interface LostValue {
  /** File of the value and its path there, such as `track.json: schedule[0].parallel.completed-by`. */
  place: string;
  what: string;
}

/**
 * Maximum number of keys and values in all requests of one definition together. The definition has some more keys outside its requests, so
 * the maximum is below the 10,000 that `checkExtent` allows.
 */
const MOST_TOGETHER = 9000;

/** Returns the number of keys and values, counted in the same way as `checkExtent`, which limits the size of definitions. */
const valuesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>(
        (sum, inner) => sum + (Array.isArray(value) ? 0 : 1) + valuesIn(inner),
        1,
      )
    : 1;
const extentOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, { conversion }) => sum + valuesIn(conversion.sends), 0);

/**
 * Splits an operation into several operations, each with one request. Rally's assertions about the response apply to the last request only.
 */
const eachAlone = (part: Part): Part[] =>
  part.conversion.sends.map((wire, at, all) => ({
    ...part,
    conversion: {
      ...part.conversion,
      sends: [wire],
      expect: at === all.length - 1 ? part.conversion.expect : undefined,
    },
  }));

/**
 * A task of the track, and the part of the definition that it became. `of`: name of the definition's task that sends the requests. `from`:
 * index of the first of these requests in the definition's task.
 */
interface Placed extends Omit<ConvertedTask, 'sent'> {
  wires: readonly Wire[];
  of: string;
  from: number;
}

/** Name of the task that sends each of its requests once. */
const ONCE = 'once';

/** Time to wait for the responses of requests that are sent once. Merges and snapshots can take hours. */
const ONCE_DRAIN = '4h';

const taskName = (name: string): string => {
  const own = name.replaceAll(/[^\w-]+/g, '-').replaceAll(/^[^a-z]+|-+$/gi, '');
  return own === '' ? 'task' : own.slice(0, 60);
};

/** Returns the names with numbers appended where a name occurs several times. The names of metrics must differ. */
function distinct(names: readonly string[]): string[] {
  const used = new Set<string>();
  return names.map((name) => {
    const own = requestKey(name) === '' ? `request ${name}`.trim() : name;
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? own : `${own} ${number}`;
      if (used.has(requestKey(candidate))) continue;
      used.add(requestKey(candidate));
      return candidate;
    }
  });
}

const fileName = (at: number, name: string): string =>
  `${String(at).padStart(2, '0')}-${taskName(name).toLowerCase()}`;

/** Returns the keys with which all definitions of a challenge begin: version, name, description and tags. */
const head = ({ name: track, benchmark }: Track, { name: challenge }: Challenge, what: string): Fields => ({
  version: 1,
  name: `${track}, ${challenge}: ${what}`.slice(0, 200),
  tags: [benchmark.tag, track.slice(0, 100)],
});

const isRecorded = ({ calls, left, error }: ExpandedTask): boolean =>
  calls !== undefined || left !== undefined || error !== undefined;

/** Returns the operation of a task. If the track's Python code changes the operation, returns the changed operation. */
function operationOf({ operation }: Task, expanded: ExpandedTask | undefined): Operation {
  if (expanded?.params === undefined) return operation;
  const params = trackValue({
    ...(parseExact(expanded.params) as Fields),
    'operation-type': operation.type,
  });
  return { ...operation, params: params as Fields };
}

interface Part {
  task: Task;
  group: number;
  conversion: Extract<Conversion, { sends: unknown }>;
  notes: string[];
}

const written = (
  name: string,
  { kind, work }: WrittenWork,
  expect: readonly string[] | undefined,
): Fields => ({
  name,
  ...(expect === undefined ? {} : { expect }),
  [kind]: work,
});

/** Matches the beginning of a path that applies to all indices of a cluster. */
const EVERYTHING = /^\/(?:_all|\*|%2A)(?=\/|$)/;

/**
 * Converts requests of the track to requests of a definition. If a specific kind of request sends exactly the same as the track's request,
 * this kind is used, otherwise `http`. `target`: the index to which the definition's tasks send requests.
 */
const worksOf = (wires: readonly Wire[], target: string | undefined): WrittenWork[] =>
  wires.map((wire) => {
    const own = typed(wire);
    return own !== undefined && (own.target === undefined || own.target === target) ? own : generic(wire);
  });

const standingOf = (works: readonly WrittenWork[]): Standing =>
  works.every(({ kind }) => kind !== 'http') ? 'typed' : 'generic';

const timeoutOf = (parts: readonly { conversion: Conversion }[]): Fields => {
  const longest = parts.reduce(
    (most, { conversion }) => Math.max(most, ('timeout' in conversion && conversion.timeout) || 0),
    0,
  );
  return longest === 0 ? {} : { 'request-timeout': `${Math.ceil(longest)}s` };
};

const parametersOf = (...conversions: readonly { parameters?: Fields }[]): Fields => {
  const all = Object.assign({}, ...conversions.map(({ parameters }) => parameters ?? {})) as Fields;
  return Object.keys(all).length === 0 ? {} : { parameters: all };
};

/** Returns the first problem of a definition. Returns undefined if the definition is valid. */
export function invalidity(definition: Fields): string | undefined {
  try {
    checkExtent(definition, 'the definition');
    readDefinition(definition);
    return undefined;
  } catch (error) {
    if (!(error instanceof DynoError)) throw error;
    const { path, message } = error.problems[0]!;
    return `${path} ${message}`.trim();
  }
}

/** Returns the problem of the definition's text, such as its length. Returns undefined if the text is valid. */
function textFlaw(file: DefinitionFile): string | undefined {
  try {
    parseText(definitionText(file), 'the definition');
    return undefined;
  } catch (error) {
    if (!(error instanceof DynoError)) throw error;
    return error.problems[0]!.message;
  }
}

/** Returns whether a definition sends exactly the requests `wires`, in this order. */
const sendsJust = (sent: readonly Wire[], wires: readonly Wire[]): boolean =>
  sent.length === wires.length && wires.every((wire, at) => isSameRequest(wire, sent[at]!));

/** Converts the parameters of a query string to texts, as they are sent. */
const texts = (params: Wire['params'] = {}): Fields =>
  Object.fromEntries(Object.entries(params).map(([key, value]) => [key, exactText(value)]));

const bodyOf = ({ body }: Wire): unknown => {
  if (typeof body !== 'string') return body;
  try {
    return parseExact(body);
  } catch {
    return body;
  }
};

/**
 * Returns whether two requests have the same method, path, query string and body. Parameters that only `other` has are ignored: Dyno adds
 * some to specific kinds of requests, and `wire.ts` has already checked them.
 */
export const isSameRequest = (one: Wire, other: Wire): boolean =>
  one.method === other.method &&
  decodeURIComponent(one.path) === decodeURIComponent(other.path) &&
  isSameJson(bodyOf(one), bodyOf(other)) &&
  Object.entries(texts(one.params)).every(([key, value]) => texts(other.params)[key] === value);

class Builder {
  readonly files: DefinitionFile[] = [];
  readonly tasks: ConvertedTask[] = [];
  readonly lost: LostValue[] = [];
  /** Operations that Rally executes once and that are not yet part of a definition. Successive ones are joined in one definition. */
  private once: Part[] = [];

  constructor(
    private readonly track: Track,
    private readonly challenge: Challenge,
    private readonly python: Python,
  ) {}

  private convert(task: Task): Conversion {
    const { track, python } = this;
    const expanded = python.expansion?.task(this.challenge.name, task.name);
    const recorded = expanded !== undefined && isRecorded(expanded) ? expanded : undefined;
    const operation = operationOf(task, expanded);
    // Rally itself has used the parameters of this operation, so they are not reported as unused.
    if (expanded !== undefined) track.tracked.readAll(task.operation.params);
    const made = convert({ task, operation, params: operation.params, track, python, recorded });
    if (!('sends' in made)) return made;
    const sends = made.sends.map((wire) => this.ofTrack(wire));
    const { name, track: kind } = this.track.benchmark;
    const isAll = ({ path }: Wire): boolean => EVERYTHING.test(path);
    const notes = [
      ...(made.notes ?? []),
      ...(made.sends.some((wire, at) => wire !== sends[at])
        ? [`requests to all indices of the cluster go to ${this.whole} instead, the indices of the ${kind}`]
        : []),
      ...(sends.some(isAll)
        ? [
            `goes to all indices of the cluster: a cluster of ${name} contains only those of the ${kind}, other clusters may contain more`,
          ]
        : []),
    ];
    return { ...made, sends, ...(notes.length === 0 ? {} : { notes }) };
  }

  /** Adds a converted task to the report. If its requests are in several definitions, all of them are listed under one entry. */
  private keep(one: ConvertedTask): void {
    const before = this.tasks.find(({ task, group }) => task === one.task && group === one.group);
    if (before === undefined) this.tasks.push(one);
    else if (one.standing === 'left') Object.assign(before, one);
    else if (before.standing !== 'left') {
      before.sent = [...before.sent, ...one.sent];
      if (one.standing === 'generic') before.standing = 'generic';
    }
  }

  private leave(task: Task, group: number, reason: string, nearest?: string): void {
    this.keep({
      task,
      group,
      standing: 'left',
      reason,
      ...(nearest === undefined ? {} : { nearest }),
      notes: [],
      sent: [],
    });
  }

  /**
   * Adds a file for `definition`. If the definition is invalid, all its tasks are reported as left out, with the reason. If it is valid,
   * only the tasks whose requests would differ from those of the track are. `done`: the tasks of the track whose requests the definition
   * contains.
   */
  private add(name: string, definition: Fields, done: readonly Placed[]): void {
    const wrong = invalidity(definition) ?? textFlaw({ name, definition });
    const sent = wrong === undefined ? sentBy(definition) : new Map<string, Wire[]>();
    for (const { wires, of, from, ...one } of done) {
      const own = (sent.get(of) ?? []).slice(from, from + wires.length);
      const reason =
        wrong !== undefined
          ? `makes a definition that is not valid: ${wrong}`
          : sendsJust(own, wires)
            ? undefined
            : 'would send different requests';
      if (reason === undefined) this.keep({ ...one, sent: own });
      else this.leave(one.task, one.group, reason);
    }
    if (wrong === undefined) this.files.push({ name, definition });
  }

  /**
   * Returns the reason why a definition with this operation would be invalid; undefined if it would be valid. The importer leaves out
   * operations with such a flaw, because they would make the definitions of other operations invalid too.
   */
  private flawOf(part: Part): string | undefined {
    const wrong = eachAlone(part)
      .map((one) => invalidity(this.onceDefinition([one], 'alone')))
      .find((one) => one !== undefined);
    return wrong === undefined ? undefined : `makes a request that is not valid: ${wrong}`;
  }

  /**
   * Writes one or more definitions for the collected operations that send their requests only once. Each definition sends its requests one
   * after the other, as one `transaction` (a list of requests that are measured together).
   */
  private flush(): void {
    const parts = this.once;
    this.once = [];
    const good = parts.filter((part) => {
      const flaw = this.flawOf(part);
      if (flaw !== undefined) this.leave(part.task, part.group, flaw);
      return flaw === undefined;
    });
    // Adds single requests instead of whole operations, because one operation may be too long for a definition.
    let some: Part[] = [];
    for (const part of good) {
      for (const one of eachAlone(part)) {
        if (some.length === LONGEST_LIST || extentOf([...some, one]) > MOST_TOGETHER) {
          this.sendOnce(some);
          some = [];
        }
        some.push(one);
      }
    }
    this.sendOnce(some);
  }

  /** Writes a definition that sends the requests of `parts` once. Each part has one request. */
  private sendOnce(parts: readonly Part[]): void {
    if (parts.length === 0) return;
    const names = new Set(parts.map(({ task }) => task.name));
    const what = names.size === 1 ? parts[0]!.task.name : `${parts[0]!.task.name} and what follows`;
    const placed = parts.map(({ task, group, conversion: { sends: wires }, notes }, from): Placed => ({
      task,
      group,
      standing: standingOf(worksOf(wires, undefined)),
      notes,
      wires,
      of: ONCE,
      from,
    }));
    this.add(fileName(this.files.length + 1, what), this.onceDefinition(parts, what), placed);
  }

  private onceDefinition(parts: readonly Part[], what: string): Fields {
    const requests = parts.flatMap(({ task, conversion: { sends, expect } }) =>
      worksOf(sends, undefined).map((work, at) => ({
        name: task.name,
        work,
        expect: at === sends.length - 1 ? expect : undefined,
      })),
    );
    const names = distinct(requests.map(({ name }) => name));
    return {
      ...head(this.track, this.challenge, what),
      ...timeoutOf(parts),
      tasks: [
        {
          name: ONCE,
          transaction: {
            requests: requests.map(({ work, expect }, at) => written(names[at]!, work, expect)),
            ...parametersOf(...parts.map(({ conversion }) => conversion)),
          },
          executor: { 'constant-rate': { every: '7d', 'max-clients': 1 } },
        },
      ],
      measure: { warmup: '0s', duration: '1s', drain: ONCE_DRAIN },
      trials: 1,
    };
  }

  /** Converts an element of the schedule to one or more definitions. `at`: index of the element. */
  element(group: Group, at: number): void {
    const conversions = group.tasks.map((task) => ({ task, conversion: this.convert(task) }));
    const kept = conversions.filter(({ task, conversion }) => {
      if ('left' in conversion) this.leave(task, at, conversion.left, conversion.nearest);
      const fault = 'left' in conversion ? undefined : rateFault(task);
      if (fault !== undefined) this.leave(task, at, fault, 'the same task with a rate in requests');
      return !('left' in conversion) && fault === undefined;
    });
    const some = kept.filter(({ task, conversion }) => {
      const flaw =
        'sends' in conversion && !isOnce(task)
          ? this.flawOf({ task, group: at, conversion, notes: [] })
          : undefined;
      if (flaw !== undefined) {
        this.leave(task, at, flaw);
        return false;
      }
      // An operation may have no requests: for example, it deletes the templates of a track that has no templates.
      const empty = 'sends' in conversion && conversion.sends.length === 0;
      if (empty)
        this.tasks.push({ task, group: at, standing: 'generic', notes: ['sends nothing'], sent: [] });
      return !empty;
    });
    if (some.length === 0) return;
    // Operations with parameters are not joined, because several operations may use the same name for different parameters.
    if (
      some.every(
        ({ task, conversion }) =>
          'sends' in conversion && isOnce(task) && conversion.parameters === undefined,
      )
    ) {
      for (const { task, conversion } of some) {
        const own = conversion as Part['conversion'];
        this.once.push({
          task,
          group: at,
          conversion: own,
          notes: [
            ...(own.notes ?? []),
            ...(group.tasks.length > 1
              ? [`sent one after the other, while ${this.track.benchmark.name} sends them in parallel`]
              : []),
          ],
        });
      }
      return;
    }
    this.flush();
    this.sideBySide(group, at, some);
  }

  /** Converts an element of the schedule to one definition, whose tasks run in parallel. */
  private sideBySide(group: Group, at: number, some: { task: Task; conversion: Conversion }[]): void {
    const ingests = some.flatMap(({ task, conversion }) =>
      'ingest' in conversion ? [{ task, ...conversion }] : [],
    );
    const asking = some.flatMap(({ task, conversion }) =>
      'sends' in conversion ? [{ task, conversion }] : [],
    );
    const several = ingests.filter(({ ingest }) => ingest.files.length > 1);
    if (ingests.length > 1 && several.length > 0) {
      for (const { task } of ingests)
        this.leave(
          task,
          at,
          'reads several files in parallel to another ingestion',
          'a separate definition for each ingestion',
        );
      const rest = some.filter(({ conversion }) => !('ingest' in conversion));
      if (rest.length > 0) this.sideBySide(group, at, rest);
      return;
    }
    const target =
      ingests[0]?.ingest.files[0]!.target ??
      this.targetOf(asking.flatMap(({ conversion }) => conversion.sends));
    // All documents of a trial are indexed in the index of the trial. Bulk operations for other indices are left out.
    const others = ingests.filter(({ ingest }) => ingest.files[0]!.target !== target);
    for (const { task } of others)
      this.leave(
        task,
        at,
        `goes to ${ingests.find((one) => one.task === task)!.ingest.files[0]!.target} in parallel to an ingestion to ${target}`,
        'a separate definition',
      );
    const going = ingests.filter((one) => !others.includes(one));
    const names = distinct([...going, ...asking].map(({ task }) => taskName(task.name)));
    const what =
      group.tasks.length === 1 ? group.tasks[0]!.name : group.tasks.map(({ name }) => name).join(', ');
    const benchmark = this.track.benchmark.name;
    const phases = phasesOf(
      some.map(({ task }) => task),
      group,
      benchmark,
    );
    const writes =
      going.length > 0 ||
      asking.some(({ conversion }) =>
        conversion.sends.some(
          ({ method, path }) =>
            method !== 'GET' && !/_search|_query|_sql|_count|_field_caps|_terms_enum|_msearch/.test(path),
        ),
      );
    const works = asking.map(({ conversion }) => worksOf(conversion.sends, target));
    const maintains = works.some((own) =>
      own.some(({ kind }) => kind === 'refresh' || kind === 'force-merge'),
    );
    const share = ({ files, percentage }: (typeof going)[number]['ingest']): number =>
      files.reduce((sum, { count }) => sum + Math.floor((count * percentage) / 100), 0);
    const untimed = going.filter(({ task }) => task.time === undefined);
    const { completedBy } = group;
    // A trial ends with the last document of its bulk operations, unless another task ends it earlier.
    const endsByTime = completedBy !== undefined && phases.lost === undefined;
    const timed = untimed.length === 0 || endsByTime;
    for (const { task, ingest, lost = [] } of going) {
      this.loseLength(task, ingest.percentage, timed);
      for (const what of lost) this.lose(task.operation.place ?? task.place, what);
    }
    const isEndedByIngest = untimed.length === 1 && completedBy === untimed[0]!.task.name;
    if (phases.lost !== undefined && !isEndedByIngest)
      this.lose(
        `${group.place}.completed-by`,
        timed
          ? phases.lost
          : `it is not known in advance which task ends first, so the element ends with its last document`,
      );
    const many = going.find(({ ingest }) => ingest.files.length > 1);
    const documents = going.reduce(
      (sum, { ingest }) =>
        sum + share(many === undefined ? ingest : { ...ingest, files: ingest.files.slice(0, 1) }),
      0,
    );
    const measure =
      going.length > 0 && !timed
        ? { documents, drain: '5m' }
        : { warmup: phases.warmup, duration: phases.duration };
    const definition: Fields = {
      ...head(this.track, this.challenge, what),
      ...timeoutOf(some),
      // Without `target`, no request uses an index of the track, so the definition needs no existing index.
      ...(target === undefined
        ? {}
        : { index: { existing: target, ...(writes || maintains ? { 'allow-writes': true } : {}) } }),
      tasks: [
        ...going.map(({ task, ingest }, place) => ({
          name: names[place]!,
          ingest: {
            source: { file: ingest.files[0]!.file, ...(ingest.files[0]!.times > 1 ? { repeat: true } : {}) },
            bulk: { docs: ingest.bulkSize },
            ...(ingest.pipeline === undefined ? {} : { pipeline: ingest.pipeline }),
            ...ingest.more,
          },
          executor: executorOf(task, ingest.bulkSize),
        })),
        ...asking.map(({ task, conversion }, place) => {
          const { sends, expect } = conversion;
          const own = works[place]!;
          const requests = own.map((work, number) => ({
            work,
            expect: number === sends.length - 1 ? expect : undefined,
          }));
          const called = distinct(requests.map(() => task.name));
          const list = requests.map(({ work, expect: holds }, number) =>
            written(called[number]!, work, holds),
          );
          return {
            name: names[going.length + place]!,
            // Several requests become a transaction, because Rally measures the requests of one operation together.
            ...(list.length === 1
              ? { requests: { list, ...parametersOf(conversion) } }
              : { transaction: { requests: list, ...parametersOf(conversion) } }),
            executor: executorOf(task),
          };
        }),
      ],
      ...(many === undefined
        ? {}
        : {
            factors: many.ingest.files.map((file) => ({
              ...(many.ingest.files.some(({ times }) => times > 1)
                ? { [`tasks.${names[going.indexOf(many)]}.ingest.source.repeat`]: file.times > 1 }
                : {}),
              'index.existing': file.target,
              [`tasks.${names[going.indexOf(many)]}.ingest.source.file`]: file.file,
              ...(timed
                ? {}
                : { 'measure.documents': Math.floor((file.count * many.ingest.percentage) / 100) }),
            })),
            order: 'sequential',
          }),
      measure,
      ...(writes ? { trials: 1 } : {}),
    };
    const shared = [
      ...clientNotes(group, benchmark),
      ...phases.notes.filter(() => timed),
      ...(timed || asking.length === 0
        ? []
        : [
            `runs until the last document is stored: ${benchmark} ends it earlier if its time or iterations are over`,
          ]),
    ];
    this.add(fileName(this.files.length + 1, what), definition, [
      ...going.map(({ task, ingest, notes = [] }) => ({
        task,
        group: at,
        standing: 'ingest' as const,
        ingest,
        wires: [],
        of: '',
        from: 0,
        notes: [
          ...notes,
          ...shared,
          ...scheduleNotes(task),
          ...(ingest.files.length > 1
            ? [
                `its ${ingest.files.length} files are read in separate trials, one after the other: ${benchmark} reads them as one stream`,
              ]
            : []),
          ...(task.warmupTime !== undefined && task.warmupTime > 0 && !timed
            ? [`everything is measured: ${benchmark} excludes the first ${task.warmupTime} s`]
            : []),
        ],
      })),
      ...asking.map(({ task, conversion }, place) => ({
        task,
        group: at,
        standing: standingOf(works[place]!),
        wires: conversion.sends,
        of: names[going.length + place]!,
        from: 0,
        notes: [...(conversion.notes ?? []), ...shared, ...scheduleNotes(task)],
        ...(conversion.data === undefined ? {} : { data: conversion.data }),
      })),
    ]);
  }

  /**
   * Returns the index, or list of indices separated by commas, that most of the requests use. Returns the indices of the track if no
   * request names an index. Returns undefined if the track has no indices, or too many for the key `existing`.
   */
  private targetOf(wires: readonly Wire[]): string | undefined {
    const counts = new Map<string, number>();
    for (const wire of wires) {
      const own = typed(wire)?.target;
      if (own !== undefined && own !== '_all' && own !== '*' && EXISTING_NAMES.test(own))
        counts.set(own, (counts.get(own) ?? 0) + 1);
    }
    const [most] = [...counts].sort(([, one], [, other]) => other - one);
    if (most !== undefined) return most[0];
    return this.whole;
  }

  /**
   * Changes a request to all indices of the cluster to a request to the indices of the track. Rally usually starts an empty cluster, which
   * contains only the indices of the track. The user's cluster may contain other indices, such as Dyno's results.
   *
   * A request is changed only if it modifies data, or if Dyno has a kind of request for it that is always sent to the index of the
   * definition.
   */
  private ofTrack(wire: Wire): Wire {
    const { whole } = this;
    if (whole === undefined || !EVERYTHING.test(wire.path)) return wire;
    const isOfIndex = typed(wire)?.target !== undefined;
    if (!isOfIndex && generic(wire).work['allow-writes'] !== true) return wire;
    return { ...wire, path: wire.path.replace(EVERYTHING, `/${inPath(whole)}`) };
  }

  /** Returns all indices and data streams of the track, separated by commas. Returns undefined if the track has none or too many. */
  private get whole(): string | undefined {
    const { indices, dataStreams } = this.track;
    const all = [...indices.map(({ name }) => name), ...dataStreams].join();
    return EXISTING_NAMES.test(all) && all.length < 1000 ? all : undefined;
  }

  end(): ConvertedChallenge {
    this.flush();
    this.loseChanges();
    const order = new Map(
      this.challenge.schedule.flatMap(({ tasks }) => tasks).map((task, at) => [task, at]),
    );
    this.tasks.sort((one, other) => order.get(one.task)! - order.get(other.task)!);
    const { track, challenge, files, tasks, lost } = this;
    const concerns = this.concerned();
    return {
      ...{ track, challenge, files, tasks, lost },
      unread: track.unread().filter(({ owner }) => concerns(owner)),
      repeated: track.repeated.filter(({ file, owner }) => file !== track.file || concerns(owner)),
    };
  }

  /**
   * Reports the limits of a bulk task that a definition cannot express, such as a number of iterations. `percentage`: percentage of the
   * documents that are sent. `timed`: whether the task ends after a given time instead of after its last document.
   */
  private loseLength(task: Task, percentage: number, timed: boolean): void {
    const { place, iterations, warmupIterations, rampUp = 0 } = task;
    if (iterations !== undefined || warmupIterations !== undefined)
      this.lose(`${place}.iterations`, 'all documents are sent instead of a number of bulks per client');
    if (timed && percentage < 100)
      this.lose(
        task.operation.place ?? place,
        `\`ingest-percentage\` of ${percentage}: documents are sent until the time is over`,
      );
    if (!timed && rampUp > 0)
      this.lose(
        `${place}.ramp-up-time-period`,
        'the ramp is measured too, because the element ends with its last document and has no warm-up',
      );
  }

  /** Reports the changes of the track that its Python code makes while Rally loads it, and that the definitions lack. */
  private loseChanges(): void {
    const { python, track, challenge } = this;
    const { benchmark } = track;
    const place = benchmark.python;
    const { expansion } = python;
    if (expansion === undefined) {
      if (python.changesTrack)
        this.lost.push({
          place,
          what: `its track processors may change the ${benchmark.track} when ${benchmark.name} loads it${benchmark.expand === undefined ? '' : `; ${benchmark.expand}`}`,
        });
      return;
    }
    const found = expansion.schedule(challenge.name);
    if (found?.failure !== undefined)
      this.lost.push({ place, what: `a track processor has failed: ${found.failure}` });
    for (const name of found?.corpora ?? [])
      this.lost.push({ place, what: `the documents of the corpus ${name}, which Python code makes` });
    const own = challenge.schedule.flatMap(({ tasks }) => tasks.map(({ name }) => name));
    for (const name of found?.tasks ?? [])
      if (!own.includes(name)) this.lost.push({ place, what: `the task ${name}, which Python code adds` });
  }

  private lose(path: string, what: string): void {
    this.lost.push({ place: `${this.track.file}: ${path}`, what });
  }

  /**
   * Returns a function for the report of unused keys of the track. The function receives the path of the object that contains the key. It
   * returns whether this challenge uses the object. Operations that were not converted do not count as used.
   */
  private concerned(): (owner: string) => boolean {
    const isIn = (owner: string, place: string): boolean =>
      owner === place || owner.startsWith(`${place}.`) || owner.startsWith(`${place}[`);
    const isLeft = ({ standing }: ConvertedTask): boolean => standing === 'left';
    const left = this.tasks.filter(isLeft).map(({ task }) => task.place);
    const used = this.tasks.filter((one) => !isLeft(one)).flatMap(({ task }) => task.operation.place ?? []);
    const [operations, challenges] = [/^operations\[\d+\]/, /^(?:challenges|test_procedures)\[\d+\]/];
    return (owner) => {
      if (left.some((place) => isIn(owner, place))) return false;
      if (operations.test(owner)) return used.some((place) => isIn(owner, place));
      return !challenges.test(owner) || isIn(owner, this.challenge.place);
    };
  }
}

/** Converts as much as possible of a challenge to definitions. */
export function convertChallenge(track: Track, challenge: Challenge, python: Python): ConvertedChallenge {
  const builder = new Builder(track, challenge, python);
  challenge.schedule.forEach((group, at) => builder.element(group, at));
  return builder.end();
}

/** Returns the text of a definition file. */
export const definitionText = ({ definition }: DefinitionFile): string => formatYaml(definition);
