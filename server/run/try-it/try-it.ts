/**
 * Sends one request of a definition once, so that a user can check it before a run. The same code as in a load draws the parameters,
 * renders the request and judges the response. Only a limited part of the response is read.
 */
import { withMissing } from '../../../common/elasticsearch/modules';
import { withoutSecrets } from '../../../common/secrets/definition';
import { stringifyExact } from '../../../common/json/exact';
import { MOST_SHOWN, type TriedRequest, type TriedStep } from '../../../common/api/tries';
import { DynoError, inputError, messageOf, type Problem } from '../../../common/problem';
import { createRandom, deriveSeed } from '../../../common/random';
import type { Parameters } from '../../../common/parameters/registry';
import { answersIn, lookUpsIn, withFiles } from '../../../common/parameters/registry';
import type { HeadVerdict } from '../../../common/requests/kind';
import { INDEX } from '../../../common/requests/template';
import {
  mayWrite,
  oneIndexProblems,
  requestJob,
  requestProblems,
  requestsOf,
  type RequestJob,
  type StepJob,
  type WrittenRequest,
} from '../../../common/tasks/request-list';
import type { Window } from '../../../common/tasks/window';
import { clockOffset } from '../../../common/measurement/target-clock';
import type { Definition } from '../../../common/experiment/definition';
import { missingForRequest } from '../../../common/experiment/feature-uses';
import { formatBytes } from '../../../common/units/format';
import { LoadClock, loadStart } from '../../load/timing/clock';
import { DrawnRequestsOperation } from '../../load/operations/drawn-requests';
import type { CompiledRequest } from '../../load/operations/prepared-request';
import { Phases } from '../../load/timing/phases';
import { TaskRecorder } from '../../load/samples/recorder';
import { sourceFile } from '../../load/sources/check';
import { LONGEST_HEAD, TOO_LARGE, type Ending } from '../../load/transport/exchange';
import type { InFlight, OutgoingRequest, Sender } from '../../load/transport/transport';
import { identifyCluster, type Identity } from '../../target-cluster/cluster';
import { readTargetClock } from '../../target-cluster/clocks';
import type { Connection } from '../../target-cluster/connection';
import { addressOf, checkMayChange, checkNotOurs, findExisting } from '../../target-cluster/existing';
import { NoAnswer } from '../../target-cluster/failure';
import { readModules } from '../../target-cluster/modules';
import { checkAllowedHosts } from '../../target-cluster/guard-rails';
import { lookUpAll } from '../trial/trials';
import { withTemporaryIndex } from './temporary-index';

export { previewDocuments, type PreviewOrder } from './preview';

/** Timeout of one step, in ms. */
const STEP_TIMEOUT_MS = 30_000;
/** Timeout of all steps together, in ms. */
const WHOLE_TIMEOUT_MS = 60_000;
/** Maximum number of bytes that are read of a response. */
const LONGEST_ANSWER = 8 * 1024 ** 2;

/** Maximum length of the reason why a step failed, in characters. */
const LONGEST_REASON = 2000;

/** A request to try; see `tryRequest` in common/api/tries.ts. */
export interface TryOrder {
  /** Id of the target. */
  target: string;
  request: WrittenRequest;
  parameters: Parameters;
  window?: Window;
  seed: number;
  draw: number;
  index?: string;
  /** Definition for a temporary index. If present, that index is used instead of `index`. */
  definition?: Definition;
}

export interface TryPlace {
  connection: Connection;
  /** Folder of the files from which parameter values are drawn. */
  folder: string;
  allowedHosts: readonly string[] | undefined;
  signal: AbortSignal;
}

/** Path in errors about the tried request as a whole: the field `request` in the body of Dyno's HTTP API. */
const BODY = 'request';

/** Sends the request. Rejects with a DynoError if the request may not be sent, or if it needs an index and none is given. */
export async function tryRequest(order: TryOrder, place: TryPlace): Promise<TriedRequest> {
  const { request, window, seed, draw, index, definition } = order;
  const parameters = usedBy(request, order.parameters);
  const { connection, folder, allowedHosts, signal } = place;
  checkAllowedHosts(connection.urls, allowedHosts);
  const work = { requests: [request], parameters, window };
  throwAny([
    ...requestProblems(work, BODY),
    ...(index === undefined ? [] : oneIndexProblems(work, BODY, { count: 1, existing: index })),
  ]);
  const writes = mayWrite(work);
  // Without `allow-writes`, a request may change only `{{index}}`, and only if that is a temporary index.
  if (writes && definition === undefined && request.http?.['allow-writes'] !== true) throw mayNotWrite();
  const cluster = await clusterAt(connection);
  if (cluster !== null) {
    const plugins = cluster.serverless ? null : await readModules(connection);
    throwAny(missingForRequest(request, BODY, { ...cluster, plugins }));
  }
  const engine = cluster?.engine;
  const whole = requestJob(requestsOf(work)[0]!, { engine });
  const job = sentOnce(whole);
  const needsIndex = namesIndex(job) || lookUpsIn(parameters).length > 0;
  if (!needsIndex) return { temporary: null, ...(await sendTo(null)) };
  if (definition === undefined) return { temporary: null, ...(await sendTo(await indexFor(index))) };
  return await withTemporaryIndex(definition, place, async ({ name, documents, notes }) => ({
    temporary: { documents, notes },
    ...(await sendTo(name)),
  }));

  async function sendTo(used: string | null): Promise<Omit<TriedRequest, 'temporary'>> {
    const indices = used === null ? [] : [used];
    const withFound = await lookUpAll(connection, indices, [parameters]);
    return {
      index: used,
      ...(await carryOut(
        job,
        whole.steps.map(({ most }) => most),
        withFiles(withFound(parameters), (file) => sourceFile(file, folder)),
        { connection, indices, seed: deriveSeed(seed, 'try', draw), signal },
      )),
    };
  }

  async function indexFor(name: string | undefined): Promise<string> {
    if (name === undefined) throw noIndex();
    const address = await addressOf(connection, name);
    const found = await findExisting(connection, address);
    checkNotOurs(name, found);
    if (writes) checkMayChange(name, found);
    return address;
  }
}

/** Returns the cluster's identity. Null if the cluster does not report it; the request itself then shows the reason. */
async function clusterAt(connection: Connection): Promise<Identity | null> {
  try {
    return await identifyCluster(connection);
  } catch (error) {
    if (error instanceof DynoError) return null;
    throw error;
  }
}

/**
 * Returns the parameters that the request uses. The other parameters of the task are left out, because they may need data that does not
 * exist here. Throws a DynoError if the request needs a value from the response to another request.
 */
function usedBy(request: WrittenRequest, parameters: Parameters): Parameters {
  const found = stringifyExact(request).matchAll(/\{\{\s*([\w-]+)\s*\}\}/g);
  const names = new Set([...found].map(([, name]) => name));
  const used = Object.fromEntries(Object.entries(parameters).filter(([name]) => names.has(name)));
  const [answer] = answersIn(used);
  if (answer === undefined) return used;
  throw inputError(
    'try.answer',
    `parameters.${answer.name}`,
    `its value comes from the response to ${answer.request}, and Try it sends only one request`,
    { allowed: 'another source while you try it' },
  );
}

function throwAny(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new DynoError('input', problems);
}

const mayNotWrite = (): DynoError =>
  inputError(
    'try.writes',
    BODY,
    'this request may change the index, which is not an index of a trial here: nothing was sent',
    { allowed: 'requests that only read, or an http request with allow-writes: true' },
  );

const noIndex = (): DynoError =>
  inputError(
    'try.no-index',
    'index',
    'the request names {{index}}, and the indices of a trial are created when it begins',
    { allowed: 'the name of an existing index of the target' },
  );

const namesIndex = ({ steps }: RequestJob): boolean =>
  steps
    .flatMap(({ path, body }) => [...path, ...(body ?? [])])
    .some((piece) => typeof piece !== 'string' && piece.parameter === INDEX);

/** Limits each step of the request to a single HTTP request, such as one page, even if a run would repeat the step. */
function sentOnce(job: RequestJob): RequestJob {
  const once = (step: StepJob): StepJob => ({
    ...step,
    most: Math.min(step.most, 1),
    exhausted:
      step.exhausted === null
        ? null
        : { ...step.exhausted, reason: 'Try it sends each step once, and more requests would follow' },
  });
  return { ...job, steps: job.steps.map(once) };
}

interface Sending {
  connection: Connection;
  indices: readonly string[];
  seed: number;
  signal: AbortSignal;
}

/** Sends the request. `times`: maximum number of times that a run would send each step. */
async function carryOut(
  job: RequestJob,
  times: readonly number[],
  parameters: Parameters,
  { connection, indices, seed, signal }: Sending,
): Promise<Pick<TriedRequest, 'outcome' | 'steps'>> {
  // As in a run, dates are based on the target's clock.
  const hasDates = Object.values(parameters).some((parameter) => 'date' in parameter);
  const offset = hasDates ? clockOffset(await readTargetClock(connection)) : 0;
  signal.throwIfAborted();
  const clock = new LoadClock(offset);
  clock.begin(loadStart(Date.now()));
  const tried = new TriedSteps(connection, clock);
  const recorder = new TaskRecorder(job.name, new Phases(0, null), () => ({
    clients: 1,
    offered: null,
    backlog: 0,
  }));
  let outcome: TriedRequest['outcome'] = 'failed';
  recorder.watch({
    count: (_due, { attempted, accepted, rejected, unknown }) => {
      if (attempted === 0) return;
      outcome = accepted > 0 ? 'accepted' : rejected > 0 ? 'rejected' : unknown > 0 ? 'unknown' : 'failed';
    },
    failed: (_due, type, _documents, reason) => tried.failed(type, withMissing(reason)),
    served: () => undefined,
    completed: () => undefined,
    unanswered: () => undefined,
    recalled: () => undefined,
    figured: () => undefined,
    named: () => undefined,
  });
  const operation = new DrawnRequestsOperation(
    { requests: [{ ...job, weight: 1 }], parameters },
    {
      clock,
      recorder,
      transport: tried,
      indices,
      random: createRandom(seed),
      seed,
      share: { index: 0, of: 1 },
    },
  );
  await new Promise<void>((resolve, reject) => {
    tried.onBroken = reject;
    const client = operation.createClient({ onSent: () => undefined, onDone: () => resolve() });
    const late = setTimeout(() => client.cut('timeout'), WHOLE_TIMEOUT_MS);
    const leave = (): void => client.cut('aborted');
    signal.addEventListener('abort', leave, { once: true });
    tried.onEnded = () => {
      clearTimeout(late);
      signal.removeEventListener('abort', leave);
    };
    client.begin(null);
  }).finally(() => tried.onEnded());
  return { outcome, steps: tried.triedSteps(operation.requests[0]!, times) };
}

const TIMED_OUT = 'elasticsearch.timeout';

interface Kept {
  sent: OutgoingRequest;
  /** Body of the response; null until it has arrived. */
  answer: Buffer | null;
  status: number;
  isCut: boolean;
  tookMs: number;
  failure: TriedStep['failure'];
}

/** Sends HTTP requests one at a time, as the transport of a load does. Keeps all requests and responses. */
class TriedSteps implements Sender {
  onBroken: (error: unknown) => void = () => undefined;
  onEnded: () => void = () => undefined;
  private readonly kept: Kept[] = [];

  constructor(
    private readonly connection: Connection,
    private readonly clock: LoadClock,
  ) {}

  get headers(): Readonly<Record<string, string>> {
    return this.connection.headers;
  }

  send(sent: OutgoingRequest): InFlight {
    // The next rendered request may use the same buffer.
    const body = sent.body === null ? null : Buffer.from(sent.body);
    const own: Kept = {
      sent: { ...sent, body },
      answer: null,
      status: 0,
      isCut: false,
      tookMs: 0,
      failure: null,
    };
    this.kept.push(own);
    const abort = new AbortController();
    let reason = '';
    const begun = this.clock.now();
    this.connection
      .exchange({
        method: sent.method,
        path: sent.path,
        headers: sent.headers,
        body,
        timeoutMs: STEP_TIMEOUT_MS,
        ceiling: LONGEST_ANSWER,
        signal: abort.signal,
      })
      .then(
        ({ status, body: answer, isCut }) => {
          Object.assign(own, { status, answer, isCut });
          return this.ending(own, sent.readHead);
        },
        (error: unknown) => this.withoutAnswer(error, reason),
      )
      .then((ending) => {
        own.tookMs = ending.time - begun;
        sent.onEnd(ending);
      })
      .catch((error: unknown) => this.onBroken(error));
    return {
      cut: (why) => {
        reason = why;
        abort.abort(new Error(why));
      },
    };
  }

  /** Records a failure of the step that has just ended. */
  failed(type: string, reason: string): void {
    const last = this.kept.at(-1);
    if (last !== undefined) last.failure ??= { type, reason: reason.slice(0, LONGEST_REASON) };
  }

  triedSteps({ steps }: CompiledRequest, times: readonly number[]): TriedStep[] {
    const own = new Set(Object.keys(this.headers));
    const triedSteps = this.kept.map(({ sent, answer, status, isCut, tookMs, failure }): TriedStep => {
      const place = steps.findIndex(({ form }) => form.headers === sent.headers);
      const text = answer?.toString('utf8') ?? '';
      const body = sent.body?.toString('utf8') ?? null;
      return {
        part: steps[place]!.job.part,
        method: sent.method,
        path: sent.path,
        headers: Object.fromEntries(pairsOf(sent.headers).filter(([name]) => !own.has(name))),
        body: body?.slice(0, MOST_SHOWN) ?? null,
        bodyBytes: sent.body?.length ?? 0,
        status,
        tookMs,
        answer: text.slice(0, MOST_SHOWN),
        answerBytes: answer?.length ?? 0,
        answerCut: isCut,
        times: times[place]!,
        failure,
      };
    });
    return withoutSecrets(triedSteps, triedSteps);
  }

  /** Returns the response as a load would receive it. A load does not keep the body if the beginning of the response shows success. */
  private ending({ status, answer, isCut }: Kept, readHead: (head: string) => HeadVerdict): Ending {
    const body = answer!;
    const time = this.clock.now();
    const head = body.toString('latin1', 0, Math.min(body.length, LONGEST_HEAD));
    const well = status < 300 && body.length > 0 && readHead(head) === 'well';
    const ended = { received: body.length, sent: true, sentAt: NaN, time };
    if (well) return { ...ended, status, well, body: null, failure: '', message: '' };
    if (!isCut || status >= 300) return { ...ended, status, well, body, failure: '', message: '' };
    const message = `Try it reads at most ${formatBytes(LONGEST_ANSWER)} of a response, and this one cannot be judged by its beginning`;
    return { ...ended, status: 0, well, body: null, failure: TOO_LARGE, message };
  }

  private withoutAnswer(error: unknown, reason: string): Ending {
    const [message, time] = [messageOf(error), this.clock.now()];
    const ended = {
      status: 0,
      well: false,
      body: null,
      received: 0,
      message,
      sentAt: NaN,
      time,
    };
    if (reason !== '') return { ...ended, failure: reason, sent: true };
    if (!(error instanceof NoAnswer)) throw error;
    if (error.code === TIMED_OUT) return { ...ended, failure: 'timeout', sent: true };
    return error.mayBeDone
      ? { ...ended, failure: 'connection-lost', sent: true }
      : { ...ended, failure: 'connection', sent: false };
  }
}

/** Converts a list of alternating names and values to pairs of a name and a value. */
const pairsOf = (flat: readonly string[]): [string, string][] =>
  flat.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, flat[at + 1]!]] : []));
