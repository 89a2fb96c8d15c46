/** Requests as a client sends them: what stays is rendered once, parameters are put into bytes when they are drawn. */
import { parameterDrawers, type Parameters } from '../../../common/parameters/registry';
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
import type { RequestJob } from '../../../common/tasks/request-list';
import type { OperationSetting } from './operation';

/** What all requests of one kind and task have in common. */
export interface RequestForm {
  method: string;
  /** Name, value, name, value. */
  headers: string[];
  readHead: (head: string) => HeadVerdict;
  judge: Judge;
  expect: readonly Expectation[];
}

export interface PreparedRequest {
  form: RequestForm;
  /** Figures are kept by it; '' for none of its own. */
  name: string;
  /** And by this beside it: which way it went; '' for nothing. */
  route: string;
  /** With its query string. */
  path: string;
  /** Stays as it is until the request has ended; null for none. */
  body: Buffer | null;
}

/** Whoever expects something of an answer reads all of it. */
const readAll = (): HeadVerdict => 'keep';

/** `headers`: those of the connection. */
export function requestForm(
  { kind, method, headers, expect }: Pick<RequestJob, 'kind' | 'method' | 'headers' | 'expect'>,
  connection: Readonly<Record<string, string>>,
): RequestForm {
  const { judge } = requestKind(kind);
  return {
    method,
    headers: Object.entries({ ...connection, ...headers }).flat(),
    readHead: expect.length === 0 ? judge.head : readAll,
    judge,
    expect,
  };
}

/** The value of a parameter, as it was drawn last. */
class Value {
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

/** A request of a task in one load thread. */
export class CompiledRequest {
  /** Where nothing is drawn: the request itself, for all clients. */
  readonly fixed: PreparedRequest | null;
  /** What is drawn for it. */
  readonly values: readonly Value[];
  private readonly path: readonly (string | Slot)[];
  private readonly body: readonly (Buffer | Slot)[] | null;

  constructor(
    private readonly job: RequestJob,
    private readonly form: RequestForm,
    values: ReadonlyMap<string, Value>,
    index: Drawn,
  ) {
    const slots = (template: Template): (string | Slot)[] =>
      merged(
        template.map((piece) => {
          if (typeof piece === 'string') return piece;
          return piece.parameter === INDEX
            ? index[piece.as]
            : { value: values.get(piece.parameter)!, as: piece.as };
        }),
      );
    this.path = slots(job.path);
    const body = job.body === null ? null : slots(job.body);
    this.body =
      body?.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece)) ?? null;
    const drawn = [...this.path, ...(body ?? [])].flatMap((piece) =>
      typeof piece === 'string' ? [] : [piece.value],
    );
    this.values = [...new Set(drawn)];
    this.fixed = drawn.length > 0 ? null : this.render(this.blank());
  }

  /** For a client that sends it for the first time. */
  blank(): Rendered {
    return { form: this.form, name: this.job.name, route: '', path: '', body: null, bytes: Buffer.alloc(0) };
  }

  /** Puts the values that were drawn last into `into`, which no request in flight may use; returns it. */
  render(into: Rendered): PreparedRequest {
    let path = '';
    for (const piece of this.path) path += typeof piece === 'string' ? piece : piece.value.drawn[piece.as];
    into.path = path;
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

/** The requests of a task, in their order. */
export function compileRequests(
  jobs: readonly RequestJob[],
  parameters: Parameters,
  { indices, transport, clock, seed, share }: OperationSetting,
): CompiledRequest[] {
  const drawers = parameterDrawers(parameters, { seed, share, now: () => clock.wall() });
  const values = new Map([...drawers].map(([name, draw]) => [name, new Value(draw, drawnText(''))]));
  const index = drawnText(indices.join());
  return jobs.map((job) => new CompiledRequest(job, requestForm(job, transport.headers), values, index));
}

/** Draws each of `values` anew. */
export const drawAll = (values: readonly Value[]): void => {
  for (const value of values) value.next();
};
