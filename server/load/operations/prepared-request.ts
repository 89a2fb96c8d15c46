/**
 * Requests as a client sends them. Parts that do not change are converted to bytes once. Values of parameters are written as bytes when
 * they are drawn.
 */
import { hashed } from '../../../common/measurement/distinct';
import { answersIn, parameterDrawers, type Parameters } from '../../../common/parameters/registry';
import type { Expectation } from '../../../common/requests/expectation';
import type { HeadVerdict, Judge } from '../../../common/requests/kind';
import { requestKind } from '../../../common/requests/registry';
import {
  drawnText,
  INDEX,
  type Drawn,
  type Encoding,
  type Template,
} from '../../../common/requests/template';
import {
  stepName,
  type AnswerFigure,
  type RequestJob,
  type StepJob,
} from '../../../common/tasks/request-list';
import { readColumn } from '../sources/column';
import type { RequestSetting } from './operation';
import { readQueries } from '../sources/vectors';
import { RecallJudge } from './recall';

/** The constant part of a request of a task: everything that is the same each time the request is sent. */
export interface RequestForm {
  method: string;
  /** Names and values of the headers, alternating. */
  headers: string[];
  readHead: (head: string) => HeadVerdict;
  judge: Judge;
  expect: readonly Expectation[];
  expectWhen: readonly Expectation[];
  /** Numbers in the responses that the definition wants to record as metrics. */
  figures: readonly AnswerFigure[];
  /** Whether the whole response is parsed. */
  isRead: boolean;
  /** Compares the hits of responses with the true neighbours. Null if recall is not judged. */
  recall: RecallJudge | null;
}

export interface PreparedRequest {
  form: RequestForm;
  /** Name of the request, under which its results are recorded; '' for none. */
  name: string;
  /**
   * Name of the request's destination, if a replay sends searches to several indices; otherwise ''. The results of the request are recorded
   * under this name too.
   */
  route: string;
  /** Index of the request's query vector in the task's list of queries. -1 if the recall of this response is not judged. */
  query: number;
  /** Path with its query string. */
  path: string;
  /** Body of the request; null for none. It must not change until the request has ended. */
  body: Buffer | null;
}

/** Keeps the whole response. Used for requests whose response must meet a condition. */
const readAll = (): HeadVerdict => 'keep';

/**
 * Returns everything about a request that is the same each time it is sent. `headers`: all headers of the request. If the beginning of a
 * response is enough to judge it, the rest is not kept.
 */
export function requestForm(
  method: string,
  headers: Readonly<Record<string, string>>,
  judge: Judge,
  {
    expect = [],
    expectWhen = [],
    figures = [],
    isRead = figures.length > 0,
    recall = null,
  }: Partial<Pick<RequestForm, 'expect' | 'expectWhen' | 'figures' | 'isRead' | 'recall'>> = {},
): RequestForm {
  const readHead = expect.length === 0 && !isRead && recall === null ? judge.head : readAll;
  const flat = Object.entries(headers).flat();
  return { method, headers: flat, readHead, judge, expect, expectWhen, figures, isRead, recall };
}

/**
 * The current value of a parameter. It was drawn last, or a step extracted it from a response. All clients of a thread share this object,
 * so the value is set again before each rendering.
 */
export class Value {
  constructor(
    private readonly draw: () => Drawn,
    public drawn: Drawn,
  ) {}

  next(): void {
    this.drawn = this.draw();
  }
}

/** A place in a path or body where the value of a parameter is inserted. */
interface Slot {
  value: Value;
  as: Encoding;
}

/** A request of one client, with the memory for its bytes. */
export interface Rendered extends PreparedRequest {
  bytes: Buffer;
}

/**
 * One step of a named request: a single HTTP request, in one load thread. Most requests have one step. A scroll, for example, has several.
 */
export class CompiledStep {
  /** The finished request if the step has no parameters, because then all clients send the same bytes. Null otherwise. */
  readonly fixed: PreparedRequest | null;
  /** Values of the step's parameters. */
  readonly values: readonly Value[];
  /** Whether a later step needs a value from the step's response. */
  readonly isRead: boolean;
  readonly form: RequestForm;
  private readonly name: string;
  /**
   * Only for requests whose responses are compared with true neighbours; null otherwise.
   * - `judge` compares a response.
   * - `form` replaces the usual `form` of the step if the next response will be compared.
   * - `queries` is the parameter with the query vectors.
   */
  private readonly judged: { judge: RecallJudge; form: RequestForm; queries: Value } | null;
  private readonly path: readonly (string | Slot)[];
  private readonly body: readonly (Buffer | Slot)[] | null;

  /**
   * `next`: the step after this one. `isAwaited`: whether a later request of the transaction uses a value from the response to this
   * request.
   */
  constructor(
    { name, kind, recall }: RequestJob,
    readonly job: StepJob,
    next: StepJob | undefined,
    connection: Readonly<Record<string, string>>,
    valueOf: (name: string) => Value,
    index: Drawn,
    isAwaited: boolean,
  ) {
    this.name = stepName(name, job.part);
    const takes = isAwaited || Object.keys(job.takes).length > 0;
    const { figures = [] } = job;
    this.isRead =
      takes || figures.length > 0 || job.while.length > 0 || (next !== undefined && next.while.length > 0);
    const judge = recall === undefined ? null : new RecallJudge(recall);
    const formWith = (own: RecallJudge | null): RequestForm =>
      requestForm(job.method, { ...connection, ...job.headers }, requestKind(kind).judges[job.part]!, {
        expect: job.expect,
        expectWhen: job.expectWhen,
        figures,
        isRead: this.isRead,
        recall: own,
      });
    this.form = formWith(null);
    this.judged =
      judge === null ? null : { judge, form: formWith(judge), queries: valueOf(recall!.parameter) };
    const slots = (template: Template): (string | Slot)[] =>
      merged(
        template.map((piece) => {
          if (typeof piece === 'string') return piece;
          return piece.parameter === INDEX
            ? index[piece.as]
            : { value: valueOf(piece.parameter), as: piece.as };
        }),
      );
    this.path = slots(job.path);
    const body = job.body === null ? null : slots(job.body);
    this.body =
      body?.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece)) ?? null;
    const values = [...this.path, ...(body ?? [])].flatMap((piece) =>
      typeof piece === 'string' ? [] : [piece.value],
    );
    this.values = [...new Set(values)];
    this.fixed = values.length > 0 ? null : this.render(this.blank());
  }

  /** Creates the memory for a request of a client that sends this step for the first time. */
  blank(): Rendered {
    const { form, name } = this;
    return { form, name, route: '', query: -1, path: '', body: null, bytes: Buffer.alloc(0) };
  }

  /**
   * Writes the step, with the values that were drawn last, into the memory `into` and returns it. No request in flight may use this memory.
   */
  render(into: Rendered): PreparedRequest {
    let path = '';
    for (const piece of this.path) path += typeof piece === 'string' ? piece : piece.value.drawn[piece.as];
    into.path = path;
    const { judged } = this;
    if (judged !== null) {
      const isJudged = judged.judge.takesNext();
      into.form = isJudged ? judged.form : this.form;
      into.query = isJudged ? (judged.queries.drawn.place ?? -1) : -1;
    }
    if (this.body === null) return into;
    let at = 0;
    for (const piece of this.body) {
      if (Buffer.isBuffer(piece)) {
        reserve(into, at, piece.length);
        piece.copy(into.bytes, at);
        at += piece.length;
      } else {
        const text = piece.value.drawn[piece.as];
        // A UTF-16 code unit needs at most 3 bytes in UTF-8.
        reserve(into, at, text.length * 3);
        at += into.bytes.write(text, at, 'utf8');
      }
    }
    into.body = into.bytes.subarray(0, at);
    return into;
  }
}

/** Makes room for `more` bytes after the first `used` bytes. */
function reserve(into: Rendered, used: number, more: number): void {
  if (used + more <= into.bytes.length) return;
  const larger = Buffer.allocUnsafeSlow(Math.max(256, 2 * (used + more)));
  into.bytes.copy(larger, 0, 0, used);
  into.bytes = larger;
}

/** Joins neighbouring texts into one text. The values of parameters between them stay separate. */
function merged(pieces: readonly (string | Slot)[]): (string | Slot)[] {
  const out: (string | Slot)[] = [];
  for (const piece of pieces) {
    const last = out.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') out[out.length - 1] = last + piece;
    else out.push(piece);
  }
  return out;
}

/** A value that a step extracts from a response for later steps. `path`: where the value is in the response. */
interface Taken {
  path: readonly string[];
  value: Value;
}

/** A named request of a task, in one load thread. */
export interface CompiledRequest {
  name: string;
  steps: readonly CompiledStep[];
  /** Values that are drawn for the request. */
  drawn: readonly Value[];
  /** For each step, where its response contains the values that later steps or requests need. */
  takes: readonly (readonly Taken[])[];
  /** All values of `takes` in one list, without duplicates. */
  taken: readonly Value[];
  /** Values that the request needs from the responses to other requests of the transaction. */
  needs: readonly Needed[];
}

/** A value from the response to an earlier request of the same transaction. */
export interface Needed {
  value: Value;
  /** Description of the value, for messages. */
  what: string;
  /** Position of the earlier request in the transaction, from 0. */
  of: number;
}

/** Compiles the requests of a task, in their order. */
export function compileRequests(
  jobs: readonly RequestJob[],
  parameters: Parameters,
  {
    indices,
    transport,
    clock,
    seed,
    share,
  }: Pick<RequestSetting, 'indices' | 'clock' | 'seed' | 'share'> & {
    transport: Pick<RequestSetting['transport'], 'headers'>;
  },
): CompiledRequest[] {
  const drawers = parameterDrawers(parameters, {
    seed,
    share,
    now: () => clock.targetTime(),
    valuesIn: readColumn,
    queriesIn: readQueries,
  });
  const nothing = drawnText('');
  const blank = (): Value => new Value(() => nothing, nothing);
  const answers = answersIn(parameters).map((answer) => ({ ...answer, value: blank() }));
  const answered = new Map(answers.map(({ name, value }) => [name, value]));
  const values = new Map([...drawers].map(([name, draw]) => [name, new Value(draw, nothing)]));
  const index = drawnText(indices.join());
  return jobs.map((job): CompiledRequest => {
    const awaited = answers.filter(({ request }) => request === job.name);
    const names = new Set(job.steps.flatMap(({ takes }) => Object.keys(takes)));
    const own = new Map([...names].map((name) => [`.${name}`, blank()]));
    const valueOf = (name: string): Value => own.get(name) ?? answered.get(name) ?? values.get(name)!;
    const steps = job.steps.map(
      (step, place) =>
        new CompiledStep(
          job,
          step,
          job.steps[place + 1],
          transport.headers,
          valueOf,
          index,
          awaited.length > 0,
        ),
    );
    const used = [...new Set(steps.flatMap((step) => step.values))];
    const foreign = new Set([...own.values(), ...answered.values()]);
    return {
      name: job.name,
      steps,
      drawn: used.filter((value) => !foreign.has(value)),
      takes: job.steps.map(({ takes }) => [
        ...Object.entries(takes).map(([name, path]) => ({ path, value: valueOf(`.${name}`) })),
        // If several steps extract the same value, the last one is used.
        ...awaited,
      ]),
      taken: [...own.values(), ...awaited.map(({ value }) => value)],
      needs: answers
        .filter(({ value }) => used.includes(value))
        .map(({ value, request, path }) => ({
          value,
          what: `${path.join('.')} of the answer to ${request}`,
          of: jobs.findIndex(({ name }) => name === request),
        })),
    };
  });
}

/** Start value of the hash (FNV-1a). */
const FIRST_HASH = 0x811c9dc5;

/**
 * Returns a hash of a request and its values. `place`: position of the request in the task. Hashes are used to estimate the number of
 * distinct requests.
 */
export function hashOf(place: number, values: readonly Value[]): number {
  let hash = FIRST_HASH ^ place;
  for (const { drawn } of values) hash = hashed(drawn.plain, hash);
  return hash;
}

/** Draws a new value for each of `values`. */
export const drawAll = (values: readonly Value[]): void => {
  for (const value of values) value.next();
};
