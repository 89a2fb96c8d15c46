/** Describes why a cluster did not respond: which host, what happened, and how to fix it. */
import { DynoError, messageOf } from '../../common/problem';

const REFUSED = new Set(['ECONNREFUSED']);
const UNROUTABLE = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EHOSTDOWN', 'EINVAL']);
const UNKNOWN_HOST = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME']);
const SLOW_CONNECT = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);
const CUT = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const CLOSED = new Set(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED']);
const CERTIFICATE =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|INVALID_CA)$/;

/**
 * Searches for an error with the code `code`: `error` itself, its causes, and the errors that it aggregates. Returns the first one;
 * undefined if no error has this code.
 */
function withCode(error: unknown, code: string): { cert?: CertificateFacts; message?: string } | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code: own, errors, cause } = error as { code?: unknown; errors?: unknown; cause?: unknown };
  if (own === code) return error;
  const gathered = Array.isArray(errors) ? errors : [];
  for (const inner of [...gathered, cause]) {
    const found = withCode(inner, code);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The certificate in the error of `tls.checkServerIdentity`: Node.js reports that the certificate is not valid for the host name. */
interface CertificateFacts {
  subject?: { CN?: string | string[] };
  /** Names for which the certificate is valid, such as `DNS:a.example.org, IP Address:127.0.0.1`. */
  subjectaltname?: string;
}

/** Maximum number of names of a certificate that an error lists. */
const MOST_NAMES = 10;

/** Returns the names for which a certificate was issued. The common name counts only if the certificate contains no other names. */
function namesIn({ subject, subjectaltname = '' }: CertificateFacts): string[] {
  // Names with special characters are quoted as JSON.
  const alternatives = [...subjectaltname.matchAll(/(?:^|, )(?:DNS|IP Address):(?:"([^"]*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
  return (alternatives.length > 0 ? alternatives : [subject?.CN ?? []].flat()).map((name) =>
    name.replaceAll(/[^\x21-\x7e]/g, '?'),
  );
}

const INSECURE = 'or switch the verification off, which accepts any certificate';

/** Describes the problem with a certificate and gives advice. The text completes the sentence `<url> ...`. */
function describeCertificate(url: string, code: string, error: unknown): string {
  switch (code) {
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH': {
      const { hostname } = new URL(url);
      const names = namesIn(withCode(error, code)?.cert ?? {});
      const shown = names.slice(0, MOST_NAMES).join(', ') + (names.length > MOST_NAMES ? ', ...' : '');
      return names.length === 0
        ? `has a certificate that is not for ${hostname}: give a host name that its certificate contains, ${INSECURE}`
        : `has a certificate for ${shown}, not for ${hostname}: give the host by one of these names, have a certificate issued that contains ${hostname}, ${INSECURE}`;
    }
    case 'CERT_HAS_EXPIRED':
      return `has a certificate that has expired, by the clock of this machine (${new Date().toISOString()}): renew it, set the clock right, ${INSECURE}`;
    case 'CERT_NOT_YET_VALID':
      return `has a certificate that is not valid yet, by the clock of this machine (${new Date().toISOString()}): set the clock right, ${INSECURE}`;
    case 'CERT_REVOKED':
      return `has a certificate that was revoked: have a new one issued, ${INSECURE}`;
    default:
      return `has a certificate that is not trusted (${code}): give its certificate authority, or switch its verification off`;
  }
}

/**
 * Returns the codes of `error` and of its causes. An error may contain one error for each address of a host that was tried. Their codes are
 * included.
 */
function codesOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { name, code, errors, cause } = error as {
    name?: unknown;
    code?: unknown;
    errors?: unknown;
    cause?: unknown;
  };
  // undici identifies a malformed answer by its class, and not always by a code.
  const own = name === 'HTTPParserError' ? ['HPE_MALFORMED'] : typeof code === 'string' ? [code] : [];
  return [...own, ...(Array.isArray(errors) ? errors.flatMap(codesOf) : []), ...codesOf(cause)];
}

const anyOf = (codes: readonly string[], set: ReadonlySet<string>): boolean =>
  codes.some((code) => set.has(code));

/** Returns true if certainly no byte of the request has reached the cluster. The request may then be sent to another host. */
export function neverSent(error: unknown): boolean {
  const codes = codesOf(error);
  if (anyOf(codes, CUT)) return false;
  return (
    [REFUSED, UNROUTABLE, UNKNOWN_HOST, SLOW_CONNECT].some((set) => anyOf(codes, set)) ||
    codes.some((code) => CERTIFICATE.test(code) || code.startsWith('ERR_SSL') || code === 'EPROTO')
  );
}

/** Returns whether the connection was lost after the request had been sent. The cluster may then have executed the request. */
export const wasCut = (error: unknown): boolean => anyOf(codesOf(error), CUT);

/** Describes why a request failed. The text completes the sentence `<url> ...`. */
export function describeFailure(url: string, error: unknown): string {
  const codes = codesOf(error);
  const secure = url.startsWith('https:');
  if (anyOf(codes, CLOSED)) return 'got no request, because Dyno had closed its connection';
  if (anyOf(codes, REFUSED)) return 'refuses connections: nothing listens on that port';
  if (anyOf(codes, UNKNOWN_HOST)) return 'has a host name that is not known here (DNS)';
  if (anyOf(codes, SLOW_CONNECT)) return 'does not answer a connection attempt: is a firewall in between?';
  if (anyOf(codes, UNROUTABLE)) return 'cannot be reached from this network';
  const certificate = codes.find((code) => CERTIFICATE.test(code));
  if (certificate !== undefined) return describeCertificate(url, certificate, error);
  if (secure && codes.some((code) => code.startsWith('ERR_SSL') || code === 'EPROTO')) {
    return 'does not speak TLS: is it http instead of https?';
  }
  if (codes.some((code) => code.startsWith('HPE_')))
    return 'does not speak HTTP: is that the transport port?';
  if (anyOf(codes, CUT)) {
    return `closed the connection without an answer${secure ? '' : ': is it https instead of http?'}`;
  }
  return `cannot be reached: ${messageOf(error)}`;
}

/** Codes of temporary failures of the DNS lookup. */
const NO_NAME_SERVICE = new Set(['EAI_AGAIN']);

/**
 * Returns whether the same request may succeed soon, for example because no process listens at the moment or the network is down. False for
 * problems with a certificate or a host name.
 */
const isPassingFailure = (error: unknown): boolean => {
  const codes = codesOf(error);
  return [REFUSED, UNROUTABLE, SLOW_CONNECT, CUT, NO_NAME_SERVICE].some((set) => anyOf(codes, set));
};

/** Error of a request without a response. */
export class NoAnswer extends DynoError {
  constructor(
    code: 'elasticsearch.unreachable' | 'elasticsearch.timeout',
    message: string,
    /** Whether the cluster may have executed the request although no response arrived. */
    readonly mayBeDone: boolean,
    /** Whether the same request may succeed soon. */
    readonly isPassing: boolean,
    cause?: unknown,
  ) {
    super('run', [{ code, path: '', message }], { cause });
  }
}

/** Returns whether this process itself closed the connection, because it no longer needed the response. */
export const wasClosed = (error: unknown): boolean => anyOf(codesOf(error), CLOSED);

/**
 * Creates the error of a request to which no host of a cluster responded. `failures`: the error of each host, in the order in which the
 * hosts were tried.
 */
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

/** Creates the error for a timeout. `timeoutMs`: timeout of the request. */
export const timedOut = (url: string, method: string, path: string, timeoutMs: number): NoAnswer =>
  new NoAnswer(
    'elasticsearch.timeout',
    `${method} ${path} had no answer from ${url} within ${timeoutMs / 1000} s`,
    true,
    true,
  );
