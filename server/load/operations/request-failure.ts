/** Determines whether a request succeeded, or how and why it failed. */
import { parsePlain } from '../../../common/json/exact';
import { answerAt, areMet, unmet } from '../../../common/requests/expectation';
import type { TaskRecorder } from '../samples/recorder';
import { LONGEST_HEAD, type Ending } from '../transport/exchange';
import type { RequestEnd } from './operation';
import { isUnanswered, readRequestError, type RequestError } from './request-error';
import type { RequestForm } from './prepared-request';

const BAD_ANSWER = 'bad-answer';

export interface RequestFailure extends RequestError {
  /** Whether the request was rejected with 429. */
  rejected: boolean;
  /** Whether the request was sent and its outcome is unknown. */
  unknown: boolean;
  /** Whether the request as a whole failed, because no usable response arrived. */
  whole: boolean;
  /** `unusable` if the client should pause: no response arrived, or a 5xx. `answered` after any other failure, such as a 4xx. */
  end: RequestEnd;
}

/** Returns the reason why a response with a 2xx status is a failure; null if it is a success. */
export function answerFailure(
  body: Buffer,
  { readHead, judge, expect, expectWhen }: RequestForm,
  onAnswer?: (answer: unknown, text: string) => void,
): RequestError | null {
  if (body.length === 0 && readHead('') === 'well') return null;
  const text = body.toString('utf8');
  let answer: unknown;
  try {
    answer = parsePlain(text);
  } catch {
    return { type: BAD_ANSWER, reason: text };
  }
  const failure = judge.failure(answer);
  if (failure !== null) return failure.type === BAD_ANSWER ? { type: BAD_ANSWER, reason: text } : failure;
  const missed = areMet(expectWhen, answer) ? unmet(expect, answer) : null;
  if (missed !== null) return { type: 'expectation-failed', reason: missed };
  onAnswer?.(answer, text);
  return null;
}

/**
 * Returns whether the beginning of the response already proves success, and nothing else in the response is needed. Always false if a later
 * step or a condition reads the response, or if its recall is not judged.
 */
const isWellByHead = (body: Buffer, { recall, expect, judge, isRead }: RequestForm): boolean =>
  recall !== null &&
  !isRead &&
  expect.length === 0 &&
  judge.head(body.toString('latin1', 0, Math.min(body.length, LONGEST_HEAD))) === 'well';

/** Returns why and how a request failed; null if it succeeded. Calls `onAnswer` with the parsed response if the whole response was read. */
export function requestFailure(
  ending: Ending,
  form: RequestForm,
  onAnswer?: (answer: unknown, text: string) => void,
): RequestFailure | null {
  const { status, well, body, failure, message } = ending;
  let why: RequestError | null = null;
  if (failure !== '') why = { type: failure, reason: message };
  else if (status >= 300) why = readRequestError(status, body);
  else if (!well && !isWellByHead(body!, form)) why = answerFailure(body!, form, onAnswer);
  if (why === null) return null;
  const whole = status === 0 || status >= 300 || why.type === BAD_ANSWER;
  const end = whole && (status === 0 || status >= 500) ? 'unusable' : 'answered';
  const unknown = isUnanswered(ending) || why.type === BAD_ANSWER;
  return { ...why, rejected: status === 429, unknown, whole, end };
}

/**
 * Records the numbers that the definition wants to read from responses, such as `took`. `name`: name of the answered request. `due`: time
 * at which that request was due.
 */
export function noteFigures(
  recorder: TaskRecorder,
  { figures, expectWhen }: RequestForm,
  answer: unknown,
  time: number,
  due: number,
  name: string,
): void {
  if (figures.length === 0 || !areMet(expectWhen, answer)) return;
  for (const figure of figures) {
    const value = answerAt(answer, figure.path);
    if (typeof value === 'number') recorder.figured(time, due, name, figure.name, value);
  }
}
