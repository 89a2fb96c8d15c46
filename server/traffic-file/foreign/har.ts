/**
 * Reads HTTP archives (HAR 1.2), which the developer tools of browsers, Charles, mitmproxy, Insomnia and others export. Source:
 * http://www.softwareishard.com/blog/har-12-spec/
 *
 * A HAR may contain traffic to any server. This module reads only the requests to Elasticsearch clusters. It recognises a cluster by the
 * header `x-elastic-product` in a response, or by a request that only Elasticsearch understands. It also reads the requests that the
 * console of Kibana's Dev Tools forwarded to a cluster.
 */
import { inputError, messageOf } from '../../../common/problem';
import { parsePlain } from '../../../common/json/exact';
import { endOfValue, skipBlanks, sourceAt } from '../../../common/json/source';
import { trafficKind, type TrafficKind } from '../../../common/traffic/kind';
import type { Losses } from '../../../common/traffic/loss';
import { readUnpacked } from '../../load/sources/unpack';
import { splitTarget } from '../target';
import {
  answerOf,
  decoded,
  isCutOff,
  needsBody,
  timeUsOf,
  withoutPort,
  type ForeignReader,
  type Observed,
} from './observed';

/** Maximum uncompressed size of a HAR, in bytes. A HAR is a single JSON value. Therefore, it must fit into memory. */
const MOST_BYTES = 256 * 1024 ** 2;

type Json = Readonly<Record<string, unknown>>;

const object = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
/** Returns a number; undefined for anything else and for -1, which means unknown. */
const known = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

/** Maximum time in an entry, in ms. A longer one is an error of the tool: it would move the request to another day. */
const LONGEST_MS = 24 * 3_600_000;
/** Returns a time in ms; undefined if it is unknown. */
const knownTime = (value: unknown): number | undefined => {
  const time = known(value);
  return time !== undefined && time <= LONGEST_MS ? time : undefined;
};

/** Returns the value of the header `name`. HTTP/2 and some tools write names of headers in lower case. */
function headerOf(message: Json, name: string): string {
  const header = list(message['headers'])
    .map(object)
    .find((each) => text(each['name']).toLowerCase() === name);
  return text(header?.['value']);
}

/** Reason why an entry is not read as a request: the kind of the loss, and an example. */
interface LeftOut {
  loss: 'no-body' | 'cut-body' | 'cached' | 'kibana' | 'other-host';
  example?: string;
}

/** A request, and whether its host is a cluster. */
interface Entry {
  host: string;
  isOfCluster: boolean;
  request: Observed | LeftOut;
  /** Path of a proxy in front of the cluster, such as `/es`, if the request proves it. */
  base?: string;
  /** Whether the request calls an API of Elasticsearch, if there is no proxy. */
  isApi?: boolean;
}

export const har: ForeignReader<'har'> = {
  format: 'har',
  async *read(file, losses) {
    const content = await wholeText(file);
    const read: (Entry & { source: string })[] = [];
    let number = 0;
    for (const archive of archives(content))
      for (const source of elements(sourceAt(archive, ['log', 'entries'], 'first') ?? '', losses)) {
        number += 1;
        const entry = entryOf(source);
        if (typeof entry === 'string') losses.add('malformed', 1, `entry ${number}: ${entry}`);
        else read.push({ ...entry, source });
      }
    const bases = basesOf(read);
    const entries = read.map((entry) => {
      const own = bases.get(entry.host);
      return own === undefined ? entry : (entryOf(entry.source, own) as Entry);
    });
    const proxied = new Set([...bases].flatMap(([host, own]) => own.map((base) => `${host}${base}`)));
    const clusters = new Set(entries.filter(({ isOfCluster }) => isOfCluster).map(({ host }) => host));
    const found: Observed[] = [];
    const byHost = new Map<string, number>();
    for (const { host, request } of entries)
      if ('loss' in request && request.loss === 'kibana') losses.add('kibana', 1, request.example);
      else if (!clusters.has(host)) losses.add('other-host', 1, host);
      else if ('loss' in request) losses.add(request.loss, 1, request.example);
      else {
        found.push(request);
        if (proxied.has(host)) losses.add('base-path', 1, host);
        byHost.set(host, (byHost.get(host) ?? 0) + 1);
        if (request.durationUs === undefined && request.answer?.status !== 0) losses.add('no-duration', 1);
      }
    const [, ...further] = [...byHost].sort(([, a], [, b]) => b - a);
    for (const [host, requests] of further) losses.add('further-host', requests, host);
    yield found;
  },
};

/** Yields the JSON values in a text. Several archives may follow each other in a file. The last value may be incomplete. */
function* archives(content: string): Generator<string> {
  for (let at = skipBlanks(content, 0); at < content.length;) {
    const end = endOfValue(content, at);
    yield content.slice(at, end < 0 ? undefined : end);
    at = end < 0 ? content.length : skipBlanks(content, end);
  }
}

async function wholeText(file: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of readUnpacked(file) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MOST_BYTES) break;
    }
  } catch (error) {
    throw inputError('traffic.unreadable', file, `cannot be read: ${messageOf(error)}`);
  }
  if (bytes > MOST_BYTES)
    throw inputError(
      'traffic.size',
      file,
      'is too large for a HAR; export it in parts, or record the traffic with dyno record',
      { allowed: `at most ${MOST_BYTES / 1024 ** 2} MB unpacked` },
    );
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

/** Yields the elements of the JSON list at the beginning of `source`, as texts. If the text ends before the list does, counts a loss. */
function* elements(source: string, losses: Losses): Generator<string> {
  let at = skipBlanks(source, 1);
  while (at < source.length && source.charAt(at) !== ']') {
    const end = endOfValue(source, at);
    if (end < 0) break;
    yield source.slice(at, end);
    at = skipBlanks(source, end);
    if (source.charAt(at) === ',') at = skipBlanks(source, at + 1);
  }
  if (source.charAt(at) !== ']') losses.add('cut', 1, 'the list of entries does not end');
}

/**
 * Returns the paths of the proxy on each host. Each path leads to another cluster. Hosts without such paths are absent, and also hosts on
 * which other requests show that these paths begin with an index.
 */
function basesOf(entries: readonly Entry[]): Map<string, string[]> {
  const bases = new Map<string, string[]>();
  for (const { host, base } of entries)
    if (base !== undefined && !bases.get(host)?.includes(base))
      bases.set(host, [...(bases.get(host) ?? []), base]);
  for (const { host, isApi, request } of entries) {
    if (isApi !== true || 'loss' in request) continue;
    const base = baseOf(request.path, bases.get(host) ?? []);
    const isApiBelow =
      base !== undefined && isApiOf(trafficKind(request.method, request.path.slice(base.length)));
    if (!isApiBelow) bases.delete(host);
  }
  return bases;
}

const baseOf = (path: string, bases: readonly string[]): string | undefined =>
  bases.find((base) => path.startsWith(`${base}/`));

/** Returns whether a kind of request is specific to Elasticsearch. Other servers also have paths like that of an index. */
const isApiOf = ({ name }: TrafficKind): boolean =>
  !['ping', 'index-exists', 'index-administration', 'unknown'].includes(name);

/** Matches APIs in front of which a path never has an index. */
const OF_CLUSTER =
  /^_(?:cluster|cat|nodes|tasks|snapshot|ingest|security|xpack|license|aliases|scripts|sql|query|index_template|data_stream)$/;

/**
 * Returns the first segment of a path with its slash, if it cannot be an index: a proxy removes `/es` from `/es/_cluster/health` and
 * `/es/shop/_doc/1`. `/es/shop/_search` could also search the type `shop`. But in versions with the header `x-elastic-product`, types are
 * deprecated or removed.
 */
function baseIn(path: string, isElasticsearch: boolean): string | undefined {
  const [first = '', second = '', third = '', ...more] = path.split('/').slice(1);
  if (first === '' || first.startsWith('_')) return undefined;
  const isProof =
    OF_CLUSTER.test(second) ||
    (second === '_search' && third === 'scroll') ||
    (second !== '' &&
      !second.startsWith('_') &&
      ((/^_(?:doc|create|update|source)$/.test(third) && more.length === 1) ||
        (isElasticsearch && /^_(?:search|msearch|count|bulk|mget|doc)$/.test(third) && more.length === 0)));
  return isProof ? `/${first}` : undefined;
}

/**
 * Returns an entry of the HAR, or the reason why it is malformed. `bases`: paths of a proxy, which it removes from the beginning of paths.
 * Empty without a proxy.
 */
function entryOf(source: string, bases: readonly string[] = []): Entry | string {
  let entry: Json;
  try {
    entry = object(parsePlain(source));
  } catch (error) {
    return messageOf(error);
  }
  const [request, response] = [object(entry['request']), object(entry['response'])];
  const [written, url] = [text(request['method']).toUpperCase(), text(request['url'])];
  const address = /^https?:\/\/([^/?#]+)/i.exec(url)?.[1]?.replace(/^.*@/, '').toLowerCase();
  const target = splitTarget(url);
  if (written === '') return 'it has no request.method';
  // Browsers also record blob:, data: and ws: addresses.
  if (address === undefined || target === null)
    return { host: shown(url), isOfCluster: false, request: { loss: 'other-host' } };
  const started = timeUsOf(text(entry['startedDateTime']));
  if (Number.isNaN(started))
    return `its startedDateTime is not a time: ${shown(text(entry['startedDateTime']))}`;
  const isKibana = ['kbn-name', 'osd-name'].some((name) => headerOf(response, name) !== '');
  const isElasticsearch = headerOf(response, 'x-elastic-product') === 'Elasticsearch';
  const forwarded = forwardedRequest(written, target, isKibana);
  const { path: whole, query } = forwarded ?? target;
  const base = forwarded === null ? baseOf(whole, bases) : undefined;
  // Other paths of a proxy lead to other servers.
  if (bases.length > 0 && forwarded === null && base === undefined)
    return { host: `${address}${shown(whole)}`, isOfCluster: false, request: { loss: 'other-host' } };
  const path = whole.slice(base?.length ?? 0);
  const method = forwarded?.method ?? written;
  const kind = trafficKind(method, path);
  const host = forwarded === null ? `${address}${base ?? ''}` : `${address} (console)`;
  const leftOut = (ofCluster: boolean, loss: LeftOut['loss']): Entry => ({
    ...{ host, isOfCluster: ofCluster },
    request: { loss, example: `${method} ${path}` },
  });
  if (forwarded === null && !isElasticsearch && OF_KIBANA.test(path)) return leftOut(false, 'kibana');
  const isOfCluster = forwarded !== null || isElasticsearch || (!isKibana && isApiOf(kind));
  // Chrome and Safari name the cache that answered.
  if (text(entry['_fromCache']) !== '' || / Cache$/.test(text(entry['_fetchType'])))
    return leftOut(isOfCluster, 'cached');
  const sent = bodyOf(request);
  const isLost = sent?.body === null && forwarded === null && lacksBody(request, kind);
  if (sent === null || isLost || (sent.body === null && needsBody(kind)))
    return leftOut(isOfCluster, 'no-body');
  const status = statusOf(response, forwarded !== null);
  // The cluster itself refuses a body that a client has cut off.
  if (sent.body !== null && status !== 400 && isCutOff(kind, sent.body))
    return leftOut(isOfCluster, 'cut-body');
  const { waitUs, durationUs } = timesOf(entry);
  const about = {
    ...{ method, path, query, contentType: headerOf(request, 'content-type') || sent.type, body: sent.body },
    ...(sent.encoding === '' ? {} : { encoding: sent.encoding }),
  };
  const proxy = forwarded === null && !isKibana ? baseIn(path, isElasticsearch) : undefined;
  return {
    ...{ host, isOfCluster },
    ...(proxy === undefined ? {} : { base: proxy }),
    isApi: isApiOf(kind),
    request: {
      ...about,
      timeUs: started + waitUs,
      // Chrome and Firefox export the port of the server as the connection. Chrome also exports the connection itself.
      connection: text(entry['_connectionId']) || text(entry['connection']),
      durationUs,
      ...clientOf(entry, request),
      answer: answerOf(about, {
        status,
        durationUs: durationUs ?? null,
        ...answerBodyOf(response, method),
      }),
    },
  };
}

/** Matches the paths on which Kibana and OpenSearch Dashboards receive searches from the browser. Their servers then send other requests. */
const OF_KIBANA = /\/internal\/(?:bsearch|_msearch|search\/[\w-]+(?:\/[^/]+)?)$/;

/**
 * Returns the request that Kibana forwarded to the cluster. Null for other requests. The console of Kibana sends `POST
 * /api/console/proxy?path=...&method=...`. Old versions of Kibana also forwarded all requests below `/elasticsearch/`.
 */
function forwardedRequest(
  method: string,
  target: { path: string; query: string },
  isKibana: boolean,
): { method: string; path: string; query: string } | null {
  const proxied = isKibana ? /\/elasticsearch(\/.*)$/.exec(target.path)?.[1] : undefined;
  if (proxied !== undefined) return { method, path: proxied, query: target.query };
  return consoleRequest(target);
}

function consoleRequest(target: {
  path: string;
  query: string;
}): { method: string; path: string; query: string } | null {
  if (!/\/api\/console\/proxy$/.test(target.path)) return null;
  const given = new URLSearchParams(target.query);
  const method = given.get('method')?.toUpperCase() ?? '';
  const path = given.get('path') ?? '';
  const parts = method === '' || path === '' ? null : splitTarget(path.startsWith('/') ? path : `/${path}`);
  return parts === null ? null : { method, ...parts };
}

/**
 * Returns the status of the response; 0 if there was none. The console of current versions of Kibana always answers with 200, and reports
 * the status of the cluster in a header.
 */
const statusOf = (response: Json, isForwarded: boolean): number =>
  (isForwarded && Number(headerOf(response, 'x-console-proxy-status-code'))) ||
  known(Number(response['status'])) ||
  0;

/** Kinds of requests that mean something else without their body: a search would find all documents. */
const NARROWED_BY_BODY: ReadonlySet<string> = new Set([
  'search',
  'count',
  'search-template',
  'update-by-query',
]);

/**
 * Returns whether a request without `postData` had a body. If a POST has no body, its headers contain `content-length: 0`, and usually no
 * content type.
 */
const lacksBody = (request: Json, kind: TrafficKind): boolean =>
  NARROWED_BY_BODY.has(kind.name) &&
  request['postData'] === undefined &&
  text(request['method']).toUpperCase() === 'POST' &&
  headerOf(request, 'content-type') !== '' &&
  headerOf(request, 'content-length') === '';

const shown = (value: string): string => value.slice(0, 100);

/**
 * Returns times of a HAR entry, in µs. `waitUs`: from the beginning of the entry to the first byte of the request. `durationUs`: from the
 * first byte of the request to the end of the response; undefined if the entry does not contain it.
 */
function timesOf(entry: Json): { waitUs: number; durationUs: number | undefined } {
  const timings = object(entry['timings']);
  const sum = (...names: string[]): number =>
    names.reduce((total, name) => total + (knownTime(timings[name]) ?? 0), 0);
  // `ssl` is part of `connect`.
  const wait = sum('blocked', 'dns', 'connect');
  const busy = sum('send', 'wait', 'receive');
  const isWhole = knownTime(timings['wait']) !== undefined && knownTime(timings['receive']) !== undefined;
  const duration = isWhole && busy > 0 ? busy : Math.max(busy, (knownTime(entry['time']) ?? 0) - wait);
  return {
    waitUs: Math.round(wait * 1000),
    // Some tools write 0 instead of an unknown time.
    durationUs: duration > 0 ? Math.round(duration * 1000) : undefined,
  };
}

/**
 * Returns the decoded body of the request; `body` is null if the request has none. Returns null if the request had a body that the file
 * does not contain.
 */
function bodyOf(request: Json): { body: Uint8Array | null; encoding: string; type: string } | null {
  const data = object(request['postData']);
  const encoding = headerOf(request, 'content-encoding').trim().toLowerCase();
  const type = text(data['mimeType']);
  if (typeof data['text'] === 'string' && data['text'] !== '') {
    const isBase64 = [data['encoding'], data['_encoding']].includes('base64');
    const bytes = Buffer.from(data['text'], isBase64 ? 'base64' : 'utf8');
    // Some tools export binary bodies as text, in which replacement characters took the place of bytes.
    if (!isBase64 && data['text'].includes('\uFFFD') && known(request['bodySize']) !== bytes.length)
      return null;
    if (encoding === '' || encoding === 'identity') return { body: bytes, encoding: '', type };
    const body = decodedText(bytes, data['text'], encoding);
    return body === null ? null : { body, encoding, type };
  }
  const params = list(data['params']).map(object);
  // Some tools split any body into parameters, and do not export its exact text.
  if (/^\s*[[{]/.test(text(params[0]?.['name']))) return null;
  if (params.length > 0) {
    const form = new URLSearchParams(
      params.map((each): [string, string] => [text(each['name']), text(each['value'])]),
    );
    return { body: Buffer.from(form.toString()), encoding: '', type };
  }
  const length = headerOf(request, 'content-length');
  const size = known(request['bodySize']) || Number(length);
  // Playwright exports a binary body as an empty text.
  const isLost = size > 0 || (type !== '' && length !== '0');
  return isLost ? null : { body: null, encoding: '', type };
}

/**
 * Returns the decoded body of a message with a content encoding; null if it cannot be decoded. Some tools export the body already decoded.
 * Others export the encoded body as base64 (its bytes are in `bytes`), or as text with one character per byte (`exported`).
 */
function decodedText(bytes: Uint8Array, exported: string, encoding: string): Uint8Array | null {
  const binary = decoded(bytes, encoding) ?? decoded(Buffer.from(exported, 'latin1'), encoding);
  return binary ?? (/^\s*[[{]/.test(exported) ? bytes : null);
}

/** Returns the size and the body of the response to a request. The body is undefined if the file does not contain it. */
function answerBodyOf(response: Json, method: string): { bytes: number; body: Uint8Array | undefined } {
  const content = object(response['content']);
  // The console of Kibana writes the status into the body of such a response.
  const exported = method === 'HEAD' ? '' : content['text'];
  const bytes =
    typeof exported === 'string'
      ? Buffer.from(exported, content['encoding'] === 'base64' ? 'base64' : 'utf8')
      : undefined;
  // Most tools export the decoded body.
  const encoding = bytes === undefined ? '' : headerOf(response, 'content-encoding').trim().toLowerCase();
  const body = encoding === '' ? bytes : (decodedText(bytes!, text(exported), encoding) ?? bytes);
  const size = known(content['size']) ?? body?.length;
  return {
    bytes: Math.round(known(response['bodySize']) ?? size ?? 0),
    // If a browser no longer has the body of a response, it also exports the size 0. Elasticsearch sends empty bodies only for HEAD.
    body: body?.length === 0 && method !== 'HEAD' ? undefined : body,
  };
}

/** Returns the address of the client. Only some tools export it; otherwise, the result has no `client`. */
function clientOf(entry: Json, request: Json): { client?: string } {
  const given = text(entry['clientIPAddress']) || (headerOf(request, 'x-forwarded-for').split(',')[0] ?? '');
  return given.trim() === '' ? {} : { client: withoutPort(given.trim()) };
}
