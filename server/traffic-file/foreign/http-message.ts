/** Parses HTTP/1.1 messages that were captured completely. */

export interface HttpMessage {
  /** First line, without its line feed. */
  first: string;
  /** Values of the headers, by name in lower case. For a repeated header, only its last value. */
  headers: ReadonlyMap<string, string>;
  /** Body without its transfer encoding. */
  body: Buffer;
  /** Whether the body is complete. */
  isWhole: boolean;
  /** Bytes after the message: the next messages, if the client sent several without waiting for the responses (pipelining). */
  rest: Buffer;
}

const LINE_FEED = 10;
const NOTHING = Buffer.alloc(0);
/** Matches the first line of a request. */
const REQUEST = /^[A-Z]{3,10} \S+ HTTP\/\d/;

/** Parses an HTTP message. Returns null for other bytes. `hasBody`: false for the response to a HEAD request. */
export function parseHttp(bytes: Buffer, hasBody = true): HttpMessage | null {
  const headEnd = endOfHead(bytes);
  const [first = '', ...lines] = bytes
    .toString('latin1', 0, headEnd)
    .split('\n')
    .map((line) => line.replace(/\r+$/, ''));
  if (!/^(?:HTTP\/\d(?:\.\d)? \d{3}\b|[A-Z]{3,10} \S+)/.test(first)) return null;
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':', 1);
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const rest = bytes.subarray(headEnd);
  if (!hasBody) return { first, headers, body: NOTHING, isWhole: true, rest };
  if (/\bchunked\b/i.test(headers.get('transfer-encoding') ?? ''))
    return { first, headers, ...unchunked(rest) };
  const length = Number(headers.get('content-length') ?? Number.NaN);
  if (length >= 0)
    return {
      ...{ first, headers, body: rest.subarray(0, length), isWhole: rest.length >= length },
      rest: rest.subarray(length),
    };
  // Without a length, a response ends with the connection. A request has no body then, but some tools omit the length.
  const isFollowed = REQUEST.test(rest.toString('latin1', 0, 200));
  const [body, next] = isFollowed ? [NOTHING, rest] : [rest, NOTHING];
  return { first, headers, body, isWhole: true, rest: next };
}

/** Returns the position after the empty line that ends the headers. Without such a line, returns the length of `bytes`. */
function endOfHead(bytes: Buffer): number {
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    let next = at + 1;
    while (bytes[next] === 13) next += 1;
    if (bytes[next] === LINE_FEED) return next + 1;
  }
  return bytes.length;
}

/** Joins the chunks of a chunked body (RFC 9112, 7.1). `isWhole`: whether the last chunk has arrived. `rest`: bytes after the body. */
function unchunked(bytes: Buffer): Pick<HttpMessage, 'body' | 'isWhole' | 'rest'> {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = bytes.indexOf(LINE_FEED, at);
    const size = /^[\da-f]{1,8}(?=[\s;]|$)/i.exec(bytes.toString('latin1', at, Math.min(end, at + 100)))?.[0];
    if (end < 0 || size === undefined) break;
    const length = Number.parseInt(size, 16);
    // Trailers may follow, and an empty line.
    if (length === 0)
      return {
        ...{ body: Buffer.concat(chunks), isWhole: true },
        rest: bytes.subarray(at + endOfHead(bytes.subarray(at))),
      };
    const chunk = bytes.subarray(end + 1, end + 1 + length);
    chunks.push(chunk);
    if (chunk.length < length) break;
    at = end + 1 + length;
    while (bytes[at] === 13 || bytes[at] === LINE_FEED) at += 1;
  }
  return { body: Buffer.concat(chunks), isWhole: false, rest: NOTHING };
}
