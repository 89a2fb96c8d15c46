/**
 * A connection to the cluster under test, with one pool of sockets for each host. If a host is down, the next host is tried. Elastic's
 * client is not used: each version of it requests the compatibility of one major version, while targets range from 7 to 9.
 */
import { Pool, type Dispatcher } from 'undici';
import { unpaused } from './unpaused';
import { answerCeiling, tooLarge } from '../../common/elasticsearch/ceiling';
import {
  isRepeatable,
  type ElasticsearchClient,
  type ElasticsearchRequest,
  type ElasticsearchResponse,
} from '../../common/elasticsearch/client';
import { JsonNotHeld, parseExact, parsePlain, stringifyExact, stringifyPlain } from '../../common/json/exact';
import { DynoError, inputError, runError } from '../../common/problem';
import { neverSent, timedOut, unreachable, wasCut } from './failure';
import { takeApart, type Address } from './hosts';
import { isNamed, lookupUnreserved } from './reserved-addresses';
import { parseHttpDate } from '../../common/units/time';

export interface ConnectionOptions {
  /** URLs of the hosts. Credentials in the URLs are removed and used as `authorization`. */
  hosts: readonly string[];
  /** The complete `authorization` header: `Basic ...`, `ApiKey ...` or `Bearer ...`. It overrides credentials in the URLs. */
  authorization?: string;
  headers?: Readonly<Record<string, string>>;
  /** Certificate of the certificate authority, as PEM. By default, the certificate authorities of the system are used. */
  ca?: string;
  /** If false, every certificate is accepted. Default: true. */
  verifyCertificates?: boolean;
  /** Timeout in ms of requests that have no timeout themselves. Default: 30 s. */
  timeoutMs?: number;
  /** Patterns of allowed hosts; undefined allows all hosts. A link-local or metadata address is only allowed if a pattern names it. */
  allowedHosts?: readonly string[];
}

/** A request that is sent with exactly this path, these headers and this body. Nothing is added or converted. */
export interface RawRequest {
  method: string;
  /** Path with its query string; begins with a slash. */
  path: string;
  /** Names and values of all headers, alternating, including the headers of the connection. */
  headers: string[];
  body: Buffer | null;
  /** Timeout of the request, in ms. */
  timeoutMs: number;
  /** Maximum number of bytes of the response that are read. */
  ceiling: number;
  signal: AbortSignal;
}

export interface RawAnswer {
  status: number;
  /** The body of the response, or only its first bytes if the body is longer than the ceiling. */
  body: Buffer;
  isCut: boolean;
}

/** Number of sockets for each host. These sockets send only a few control requests. The load has its own sockets. */
const SOCKETS = 16;
const CONNECT_TIMEOUT_MS = 5000;

interface Host extends Address {
  pool: Dispatcher;
}

/** The connection through which all control requests go to the cluster under test. */
export interface TargetConnection extends ElasticsearchClient {
  /** URLs of the hosts, without credentials. */
  readonly urls: readonly string[];
  /** Headers of every request, including the secret authorization. */
  readonly headers: Readonly<Record<string, string>>;
  readonly ca: string | undefined;
  readonly verifyCertificates: boolean;
  /**
   * A client for requests that are worthless without an immediate response. If the cluster is unavailable, these requests fail without
   * waiting for the cluster.
   */
  readonly atOnce: ElasticsearchClient;
  /** Opens a connection with the same options to other hosts of the same cluster. The caller closes the new connection. */
  to(urls: readonly string[], timeoutMs?: number): Connection;
}

export class Connection implements TargetConnection {
  readonly urls: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly ca: string | undefined;
  readonly verifyCertificates: boolean;
  private readonly hosts: readonly Host[];
  private readonly timeoutMs: number;
  private readonly allowedHosts: readonly string[] | undefined;
  /** Index of the host that responded last. Requests try this host first. */
  private first = 0;

  /** Throws a DynoError `target.hosts` or `target.ca` (input) if the hosts or the certificate authority are invalid. */
  constructor({
    hosts,
    authorization,
    headers,
    ca,
    verifyCertificates = true,
    timeoutMs = 30_000,
    allowedHosts,
  }: ConnectionOptions) {
    if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----')) {
      throw inputError('target.ca', 'ca', 'not a certificate in PEM');
    }
    const { addresses, authorization: fromUrls } = takeApart(hosts);
    const authority = authorization ?? fromUrls;
    this.headers = { ...headers, ...(authority === undefined ? {} : { authorization: authority }) };
    this.ca = ca;
    this.verifyCertificates = verifyCertificates;
    this.timeoutMs = timeoutMs;
    this.allowedHosts = allowedHosts;
    this.urls = addresses.map(({ url }) => url);
    this.hosts = addresses.map((address) => ({ ...address, pool: this.createPool(address.origin) }));
  }

  private createPool(origin: string): Dispatcher {
    const pool = new Pool(origin, {
      connections: SOCKETS,
      // The timeouts of undici are off, because the timeout of a request covers headers and body.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: {
        timeout: CONNECT_TIMEOUT_MS,
        ca: this.ca,
        rejectUnauthorized: this.verifyCertificates,
        ...(isNamed(origin, this.allowedHosts) ? {} : { lookup: lookupUnreserved }),
      },
    });
    return pool.compose(unpaused);
  }

  get atOnce(): ElasticsearchClient {
    return this;
  }

  to(urls: readonly string[], timeoutMs = this.timeoutMs): Connection {
    const { headers, ca, verifyCertificates, allowedHosts } = this;
    return new Connection({ hosts: urls, headers, ca, verifyCertificates, timeoutMs, allowedHosts });
  }

  /**
   * Sends a request to the host that responded last. If this host cannot be reached, tries the other hosts in turn. A request that the
   * cluster may have executed is repeated only if it is idempotent. Rejects with `elasticsearch.too-large` if the response is longer than
   * the ceiling of the request, with a {@link NoAnswer}, or with the signal's reason.
   */
  async request<T = unknown>(request: ElasticsearchRequest): Promise<ElasticsearchResponse<T>> {
    const timeoutMs = request.timeoutMs ?? this.timeoutMs;
    const abort = new AbortController();
    const onAbort = (): void => abort.abort();
    if (request.signal?.aborted) throw request.signal.reason;
    request.signal?.addEventListener('abort', onAbort, { once: true });
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      abort.abort();
    }, timeoutMs);
    const failures: { url: string; error: unknown }[] = [];
    try {
      for (const position of this.turns(request)) {
        const host = this.hosts[position]!;
        try {
          const response = await ask<T>(host, request, this.headers, abort.signal);
          this.first = position;
          return response;
        } catch (error) {
          if (request.signal?.aborted) throw request.signal.reason;
          if (error instanceof DynoError) throw error;
          if (late) throw timedOut(host.url, request.method, request.path, timeoutMs);
          if (!neverSent(error) && !(wasCut(error) && isRepeatable(request))) {
            throw unreachable([...failures, { url: host.url, error }]);
          }
          failures.push({ url: host.url, error });
          if (this.hosts.length === 1 && neverSent(error)) break;
        }
      }
      throw unreachable(failures);
    } finally {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', onAbort);
    }
  }

  /**
   * Sends a request once and unchanged to the host that responded last. Returns the response with any status. Rejects with a {@link
   * NoAnswer}, or with the signal's reason.
   */
  async exchange({ signal, timeoutMs, ceiling, ...request }: RawRequest): Promise<RawAnswer> {
    signal.throwIfAborted();
    const { pool, prefix, url } = this.hosts[this.first]!;
    const late = AbortSignal.timeout(timeoutMs);
    try {
      const { statusCode: status, body } = await pool.request({
        ...request,
        method: request.method as Dispatcher.HttpMethod,
        path: prefix + request.path,
        signal: AbortSignal.any([signal, late]),
      });
      const { read, isCut } = await readUntil(ceiling, body);
      return { status, body: read, isCut };
    } catch (error) {
      signal.throwIfAborted();
      if (late.aborted) throw timedOut(url, request.method, request.path, timeoutMs);
      throw unreachable([{ url, error }]);
    }
  }

  /**
   * Returns the indices of the hosts in the order in which a request tries them, beginning with the host that responded last. If there is
   * only one host, an idempotent request tries it twice. The first try may fail because the server has closed an idle socket.
   */
  private turns(request: ElasticsearchRequest): number[] {
    const turns = this.hosts.map((_, position) => (this.first + position) % this.hosts.length);
    return turns.length === 1 && isRepeatable(request) ? [...turns, ...turns] : turns;
  }

  /** Ends all requests and closes all sockets. */
  async close(): Promise<void> {
    await Promise.all(this.hosts.map(({ pool }) => pool.destroy()));
  }
}

async function ask<T>(
  { pool, prefix, url }: Host,
  request: ElasticsearchRequest,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<ElasticsearchResponse<T>> {
  const { method, path, query, body, isExact = false } = request;
  const ndjson = typeof body === 'string';
  const response = await pool.request({
    method,
    path: prefix + path,
    query,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': ndjson ? 'application/x-ndjson' : 'application/json' }),
      ...headers,
    },
    body:
      body === undefined ? undefined : ndjson ? body : isExact ? stringifyExact(body) : stringifyPlain(body),
    signal,
  });
  const text = await readWithin(answerCeiling(request), response.body, (ceiling) =>
    tooLarge(request, url, ceiling),
  );
  const retryAfterMs = readRetryAfter(response.headers['retry-after']);
  return {
    status: response.statusCode,
    body: parse(text, isExact, request) as T,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** Returns the body, or only its first bytes if the body is longer than `ceiling`. In the second case, closes the connection. */
async function readUntil(
  ceiling: number,
  body: AsyncIterable<Buffer>,
): Promise<{ read: Buffer; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop early destroys the body and its connection.
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > ceiling) return { read: Buffer.concat(chunks).subarray(0, ceiling), isCut: true };
  }
  return { read: Buffer.concat(chunks, bytes), isCut: false };
}

/**
 * Returns the text of a body. If the body has more than `ceiling` bytes, closes the connection and rejects with the error that `beyond`
 * creates.
 */
async function readWithin(
  ceiling: number,
  body: AsyncIterable<Buffer>,
  beyond: (ceiling: number) => DynoError,
): Promise<string> {
  const { read, isCut } = await readUntil(ceiling, body);
  if (isCut) throw beyond(ceiling);
  return new TextDecoder().decode(read);
}

/**
 * Converts the header `Retry-After` to ms. Its value is a number of seconds, or a date (RFC 9110, 10.2.3). Undefined for any other value.
 */
function readRetryAfter(header: string | string[] | undefined): number | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : parseHttpDate(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/**
 * Parses the body of a response. `isExact`: whether numbers keep their notation. Returns null for an empty body. Returns the text itself if
 * it is not JSON, for example an error page of a proxy.
 */
function parse(text: string, isExact: boolean, { method, path }: ElasticsearchRequest): unknown {
  if (text === '') return null;
  try {
    return isExact ? parseExact(text) : parsePlain(text);
  } catch (error) {
    if (error instanceof JsonNotHeld)
      throw runError(
        'target.not-held',
        '',
        `the answer to ${method} ${path} cannot be read: ${error.message}`,
      );
    return text;
  }
}
