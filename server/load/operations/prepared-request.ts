/** Requests as a client sends them: what stays is rendered once, parameters are put into bytes when they are drawn. */
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

/** What all requests of one kind and task have in common. */
export interface RequestForm {
  method: string;
  /** Name, value, name, value. */
  headers: string[];
  readHead: (head: string) => HeadVerdict;
  judge: Judge;
  expect: readonly Expectation[];
  expectWhen: readonly Expectation[];
  /** Numbers that are taken out of those answers. */
  figures: readonly AnswerFigure[];
  /** All of an answer is needed, parsed. */
  isRead: boolean;
  /** Judges answers of which more is needed than the head; null for those that need not be judged. */
  recall: RecallJudge | null;
}

export interface PreparedRequest {
  form: RequestForm;
  /** Figures are kept by it; '' for none of its own. */
  name: string;
  /** And by this beside it: which way it went; '' for nothing. */
  route: string;
  /** Of the set of queries, the one whose answer is judged; -1 for none. */
  query: number;
  /** With its query string. */
  path: string;
  /** Stays as it is until the request has ended; null for none. */
  body: Buffer | null;
}

/** Whoever expects something of an answer reads all of it. */
const readAll = (): HeadVerdict => 'keep';

/** A form whose answers are judged by their head where that is enough. `headers`: of the connection, then of the request. */
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

/** The value of a parameter, as it was drawn last, or what a step took. Of all clients: set before each rendering. */
export class Value {
  constructor(
    private readonly draw: () => Drawn,
    public drawn: Drawn,
  ) {}

  next(): void {
    this.drawn = this.draw();
  }
}

interface Slot {
  value: Value;
  as: Encoding;
}

/** Of one client and one request: what it sends, and the bytes that it is rendered into. */
export interface Rendered extends PreparedRequest {
  bytes: Buffer;
}

/** One HTTP request of a request, in one load thread. */
export class CompiledStep {
  /** Where nothing is put in: what is sent, for all clients. */
  readonly fixed: PreparedRequest | null;
  /** What is put in. */
  readonly values: readonly Value[];
  /** Something of its answer is needed later. */
  readonly isRead: boolean;
  readonly form: RequestForm;
  private readonly name: string;
  /** Where the recall of answers is judged; null where it is not. */
  private readonly judged: { judge: RecallJudge; form: RequestForm; queries: Value } | null;
  private readonly path: readonly (string | Slot)[];
  private readonly body: readonly (Buffer | Slot)[] | null;

  /** `next`: the step behind it. `isAwaited`: other requests need something of its answer. */
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

  /** For a client that sends it for the first time. */
  blank(): Rendered {
    const { form, name } = this;
    return { form, name, route: '', query: -1, path: '', body: null, bytes: Buffer.alloc(0) };
  }

  /** Puts the values that were drawn last into `into`, which no request in flight may use; returns it. */
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
        // A UTF-16 unit has 3 bytes at most.
        reserve(into, at, text.length * 3);
        at += into.bytes.write(text, at, 'utf8');
      }
    }
    into.body = into.bytes.subarray(0, at);
    return into;
  }
}

/** Makes room for `more` bytes behind the first `used`. */
function reserve(into: Rendered, used: number, more: number): void {
  if (used + more <= into.bytes.length) return;
  const larger = Buffer.allocUnsafeSlow(Math.max(256, 2 * (used + more)));
  into.bytes.copy(larger, 0, 0, used);
  into.bytes = larger;
}

/** Adjacent texts as one. */
function merged(pieces: readonly (string | Slot)[]): (string | Slot)[] {
  const out: (string | Slot)[] = [];
  for (const piece of pieces) {
    const last = out.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') out[out.length - 1] = last + piece;
    else out.push(piece);
  }
  return out;
}

/** What a step takes out of an answer: where it stands, and the value that later steps put in. */
interface Taken {
  path: readonly string[];
  value: Value;
}

/** A request of a task in one load thread. */
export interface CompiledRequest {
  name: string;
  steps: readonly CompiledStep[];
  /** What is drawn for it. */
  drawn: readonly Value[];
  /** By step. */
  takes: readonly (readonly Taken[])[];
  /** All that its steps take. */
  taken: readonly Value[];
  /** What it puts in of the answers to other requests. */
  needs: readonly Needed[];
}

/** A value that an earlier request of the same transaction is to be answered. */
export interface Needed {
  value: Value;
  /** What is asked for, in words. */
  what: string;
  /** The place of that request. */
  of: number;
}

/** The requests of a task, in their order. */
export function compileRequests(
  jobs: readonly RequestJob[],
  parameters: Parameters,
  { indices, transport, clock, seed, share }: RequestSetting,
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
        // Of several steps the last whose answer has it.
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

/** Where the hash of a request begins that is in this place of its list. */
const FIRST_HASH = 0x811c9dc5;

/** The same for the same request with the same values, to count how many are distinct. */
export function hashOf(place: number, values: readonly Value[]): number {
  let hash = FIRST_HASH ^ place;
  for (const { drawn } of values) hash = hashed(drawn.plain, hash);
  return hash;
}

/** Draws each of `values` anew. */
export const drawAll = (values: readonly Value[]): void => {
  for (const value of values) value.next();
};
