/** Says in words why a cluster gave no answer: who was asked, what happened, and what might fix it. */
import { DynoError, messageOf } from '../../common/problem';

const REFUSED = new Set(['ECONNREFUSED']);
const UNROUTABLE = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EHOSTDOWN', 'EINVAL']);
const UNKNOWN_HOST = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME']);
const SLOW_CONNECT = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);
const CUT = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const CLOSED = new Set(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED']);
const CERTIFICATE =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|INVALID_CA)$/;

/** The codes of `error`, of what caused it and of what it gathers (several addresses of one host are tried). */
function codesOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { name, code, errors, cause } = error as {
    name?: unknown;
    code?: unknown;
    errors?: unknown;
    cause?: unknown;
  };
  // undici names a malformed answer by its class and not always by a code.
  const own = name === 'HTTPParserError' ? ['HPE_MALFORMED'] : typeof code === 'string' ? [code] : [];
  return [...own, ...(Array.isArray(errors) ? errors.flatMap(codesOf) : []), ...codesOf(cause)];
}

const anyOf = (codes: readonly string[], set: ReadonlySet<string>): boolean =>
  codes.some((code) => set.has(code));

/** True when no byte of the request can have reached the cluster, so that another host may be asked in its place. */
export function neverSent(error: unknown): boolean {
  const codes = codesOf(error);
  if (anyOf(codes, CUT)) return false;
  return (
    [REFUSED, UNROUTABLE, UNKNOWN_HOST, SLOW_CONNECT].some((set) => anyOf(codes, set)) ||
    codes.some((code) => CERTIFICATE.test(code) || code.startsWith('ERR_SSL') || code === 'EPROTO')
  );
}

/** True when the connection was lost on the way: the request may have been carried out. */
export const wasCut = (error: unknown): boolean => anyOf(codesOf(error), CUT);

/** What happened, as the end of the sentence `<url> ...`. */
export function describeFailure(url: string, error: unknown): string {
  const codes = codesOf(error);
  const secure = url.startsWith('https:');
  if (anyOf(codes, CLOSED)) return 'was not asked any more: Dyno had closed its connection';
  if (anyOf(codes, REFUSED)) return 'refuses connections: nothing listens on that port';
  if (anyOf(codes, UNKNOWN_HOST)) return 'has a host name that is not known here (DNS)';
  if (anyOf(codes, SLOW_CONNECT)) return 'does not answer a connection attempt: is a firewall in between?';
  if (anyOf(codes, UNROUTABLE)) return 'cannot be reached from this network';
  const certificate = codes.find((code) => CERTIFICATE.test(code));
  if (certificate !== undefined) {
    return `has a certificate that is not trusted (${certificate}): give its certificate authority, or switch its verification off`;
  }
  if (secure && codes.some((code) => code.startsWith('ERR_SSL') || code === 'EPROTO')) {
    return 'does not speak TLS: is it http instead of https?';
  }
  if (codes.some((code) => code.startsWith('HPE_')))
    return 'does not speak HTTP: is that the transport port?';
  if (anyOf(codes, CUT)) {
    return `closed the connection without an answer${secure ? '' : ': is it https instead of http?'}`;
  }
  return `cannot be asked: ${messageOf(error)}`;
}

/** Names that the name service may know in a moment. */
const NO_NAME_SERVICE = new Set(['EAI_AGAIN']);

/** True when the same may succeed in a moment: nobody listens, or the network is cut; false for a certificate or a wrong name. */
const isPassingFailure = (error: unknown): boolean => {
  const codes = codesOf(error);
  return [REFUSED, UNROUTABLE, SLOW_CONNECT, CUT, NO_NAME_SERVICE].some((set) => anyOf(codes, set));
};

/** There was no answer. */
export class NoAnswer extends DynoError {
  constructor(
    code: 'elasticsearch.unreachable' | 'elasticsearch.timeout',
    message: string,
    /** The request may have been carried out all the same. */
    readonly mayBeDone: boolean,
    /** The same request may be answered in a moment. */
    readonly isPassing: boolean,
    cause?: unknown,
  ) {
    super('run', [{ code, path: '', message }], { cause });
  }
}

/** True when this process had closed the connection: nobody waits for the answer any more. */
export const wasClosed = (error: unknown): boolean => anyOf(codesOf(error), CLOSED);

/** No host answered. `failures` holds what happened to each, in the order of asking. */
export function unreachable(failures: readonly { url: string; error: unknown }[]): NoAnswer {
  const sentences = new Set(failures.map(({ url, error }) => `${url} ${describeFailure(url, error)}`));
  return new NoAnswer(
    'elasticsearch.unreachable',
    [...sentences].join('; '),
    failures.some(({ error }) => !neverSent(error)),
    failures.some(({ error }) => isPassingFailure(error)),
    failures.at(-1)?.error,
  );
}

/** The time ran out; `timeoutMs` as it was given for the request. */
export const timedOut = (url: string, method: string, path: string, timeoutMs: number): NoAnswer =>
  new NoAnswer(
    'elasticsearch.timeout',
    `${method} ${path} had no answer from ${url} within ${timeoutMs / 1000} s`,
    true,
    true,
  );
