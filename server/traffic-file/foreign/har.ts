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
import { trafficKind } from '../../../common/traffic/kind';
import type { Losses } from '../../../common/traffic/loss';
import { readUnpacked } from '../../load/sources/unpack';
import { splitTarget } from '../target';
import {
  answerOf,
  decoded,
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

/** Returns the value of the header `name`. HTTP/2 and some tools write names of headers in lower case. */
function headerOf(message: Json, name: string): string {
  const header = list(message['headers'])
    .map(object)
    .find((each) => text(each['name']).toLowerCase() === name);
  return text(header?.['value']);
}

/** A request, and whether its host is a cluster. */
interface Entry {
  host: string;
  isOfCluster: boolean;
  request: Observed | 'no-body';
}

export const har: ForeignReader<'har'> = {
  format: 'har',
  async *read(file, losses) {
    const content = await wholeText(file);
    const entries: Entry[] = [];
    const clusters = new Set<string>();
    let number = 0;
    for (const source of elements(sourceAt(content, ['log', 'entries'], 'first') ?? '', losses)) {
      number += 1;
      const entry = entryOf(source);
      if (typeof entry === 'string') losses.add('malformed', 1, `entry ${number}: ${entry}`);
      else {
        entries.push(entry);
        if (entry.isOfCluster) clusters.add(entry.host);
      }
    }
    const found: Observed[] = [];
    for (const { host, request } of entries)
      if (!clusters.has(host)) losses.add('other-host', 1, host);
      else if (request === 'no-body') losses.add('no-body', 1);
      else found.push(request);
    yield found;
  },
};

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

/** Returns an entry of the HAR, or the reason why it is malformed. */
function entryOf(source: string): Entry | string {
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
    return { host: shown(url), isOfCluster: false, request: 'no-body' };
  const started = timeUsOf(text(entry['startedDateTime']));
  if (Number.isNaN(started))
    return `its startedDateTime is not a time: ${shown(text(entry['startedDateTime']))}`;
  const forwarded = consoleRequest(target);
  const { path, query } = forwarded ?? target;
  const method = forwarded?.method ?? written;
  const kind = trafficKind(method, path);
  const host = forwarded === null ? address : `${address} (console)`;
  const isOfCluster =
    forwarded !== null ||
    headerOf(response, 'x-elastic-product') === 'Elasticsearch' ||
    !['ping', 'index-exists', 'index-administration', 'unknown'].includes(kind.name);
  const sent = bodyOf(request);
  if (sent === null || (sent.body === null && needsBody(kind)))
    return { host, isOfCluster, request: 'no-body' };
  const { waitUs, durationUs } = timesOf(entry);
  const about = {
    ...{ method, path, query, contentType: headerOf(request, 'content-type') || sent.type, body: sent.body },
    ...(sent.encoding === '' ? {} : { encoding: sent.encoding }),
  };
  return {
    ...{ host, isOfCluster },
    request: {
      ...about,
      timeUs: started + waitUs,
      connection: text(entry['connection']),
      durationUs,
      ...clientOf(entry, request),
      answer: answerOf(about, {
        status: known(response['status']) ?? 0,
        durationUs: durationUs ?? 0,
        ...answerBodyOf(response),
      }),
    },
  };
}

/**
 * Returns the request that the console of Kibana forwarded to the cluster: `POST /api/console/proxy?path=...&method=...`. Null for other
 * requests.
 */
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

const shown = (value: string): string => value.slice(0, 100);

/**
 * Returns times of a HAR entry, in µs. `waitUs`: from the beginning of the entry to the first byte of the request. `durationUs`: from the
 * first byte of the request to the end of the response; undefined if the entry does not contain it.
 */
function timesOf(entry: Json): { waitUs: number; durationUs: number | undefined } {
  const timings = object(entry['timings']);
  const sum = (...names: string[]): number =>
    names.reduce((total, name) => total + (known(timings[name]) ?? 0), 0);
  // `ssl` is part of `connect`.
  const wait = sum('blocked', 'dns', 'connect');
  const busy = known(timings['wait']) === undefined ? undefined : sum('send', 'wait', 'receive');
  const total = known(entry['time']);
  const duration = busy ?? (total === undefined ? undefined : Math.max(0, total - wait));
  return {
    waitUs: Math.round(wait * 1000),
    durationUs: duration === undefined ? undefined : Math.round(duration * 1000),
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

/** Returns the size and the body of a response. The body is undefined if the file does not contain it. */
function answerBodyOf(response: Json): { bytes: number; body: Uint8Array | undefined } {
  const content = object(response['content']);
  const exported = content['text'];
  const body =
    typeof exported === 'string'
      ? Buffer.from(exported, content['encoding'] === 'base64' ? 'base64' : 'utf8')
      : undefined;
  const size = known(content['size']) ?? body?.length;
  return {
    bytes: Math.round(known(response['bodySize']) ?? size ?? 0),
    body: body === undefined && size === 0 ? new Uint8Array() : body,
  };
}

/** Returns the address of the client. Only some tools export it; otherwise, the result has no `client`. */
function clientOf(entry: Json, request: Json): { client?: string } {
  const given = text(entry['clientIPAddress']) || (headerOf(request, 'x-forwarded-for').split(',')[0] ?? '');
  return given.trim() === '' ? {} : { client: withoutPort(given.trim()) };
}
