/**
 * A proxy that adds `PUT` and `DELETE /_data_stream/NAME` to the embedded Elasticsearch, which lacks data streams. The proxy emulates a
 * data stream by an alias with a write index. The names of its indices are like those of backing indices. Therefore, all other requests
 * pass unchanged.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { ask } from './elasticsearch';

interface Answer {
  status: number;
  body: unknown;
}

const NAMED = /^\/(_data_stream|_index_template)\/([^/?]+)$/;

/** Creates an emulated data stream. As in Elasticsearch, an index template for it must exist. */
async function putStream(url: string, name: string): Promise<Answer> {
  const { status } = await ask('GET', `${url}/_index_template/${name}`);
  if (status === 404) return { status: 400, body: { error: { type: 'illegal_argument_exception' } } };
  const first = `.ds-${name}-2026.11.23-000001`;
  return await ask('PUT', `${url}/${first}`, { aliases: { [name]: { is_write_index: true } } });
}

async function deleteStream(url: string, name: string): Promise<Answer> {
  const { status, body } = await ask('GET', `${url}/_alias/${name}`);
  if (status === 404) return { status, body };
  return await ask('DELETE', `${url}/${Object.keys(body).join()}`);
}

/**
 * Stores an index template. If the template is for a data stream, it is stored with the index pattern of the stream's backing indices
 * (`.ds-...`), because these are ordinary indices here.
 */
async function putTemplate(url: string, name: string, body: Record<string, unknown>): Promise<Answer> {
  const {
    data_stream: stream,
    template,
    ...rest
  } = body as {
    data_stream?: object;
    template: { lifecycle?: object };
  };
  if (stream === undefined) return await ask('PUT', `${url}/_index_template/${name}`, body);
  return await ask('PUT', `${url}/_index_template/${name}`, {
    ...rest,
    index_patterns: [`.ds-${name}-*`],
    template: { ...template, lifecycle: undefined },
  });
}

/** Headers that are not forwarded: they belong to one connection, or are calculated again. */
const OF_HOP = ['host', 'connection', 'content-length', 'transfer-encoding'];

const without = <T extends object>(headers: T): T =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_HOP.includes(name))) as T;

export interface StreamingElasticsearch {
  readonly url: string;
  /** Index templates of data streams by name, as the client sent them. */
  readonly templates: Map<string, Record<string, unknown>>;
  /** Calls of the emulated APIs in their order, such as `PUT stream a` or `DELETE template a`. */
  readonly calls: string[];
  close(): Promise<void>;
}

/** Starts the proxy in front of the embedded Elasticsearch at `url`. */
export async function withDataStreams(url: string): Promise<StreamingElasticsearch> {
  const templates = new Map<string, Record<string, unknown>>();
  const calls: string[] = [];
  const own = async (
    method: string,
    kind: string,
    name: string,
    text: string,
  ): Promise<Answer | undefined> => {
    if (method === 'GET') return undefined;
    calls.push(`${method} ${kind === '_data_stream' ? 'stream' : 'template'} ${name}`);
    if (kind === '_data_stream')
      return method === 'PUT' ? await putStream(url, name) : await deleteStream(url, name);
    if (method !== 'PUT') return undefined;
    const body = JSON.parse(text) as Record<string, unknown>;
    if ('data_stream' in body) templates.set(name, body);
    return await putTemplate(url, name, body);
  };
  const server: Server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const serve = async (): Promise<void> => {
        const { method = 'GET', url: path = '/', headers } = incoming;
        const sent = Buffer.concat(chunks);
        const [, kind, name] = NAMED.exec(path) ?? [];
        const answer = kind && name ? await own(method, kind, name, sent.toString()) : undefined;
        if (answer) {
          outgoing.writeHead(answer.status, {
            'content-type': 'application/json',
            'x-elastic-product': 'Elasticsearch',
          });
          outgoing.end(JSON.stringify(answer.body));
          return;
        }
        const passed = await request(`${url}${path}`, {
          method: method as 'GET',
          headers: without(headers),
          body: sent.length === 0 ? null : sent,
        });
        const body = Buffer.from(await passed.body.arrayBuffer());
        outgoing.writeHead(passed.statusCode, without(passed.headers));
        outgoing.end(body);
      };
      serve().catch((error: unknown) => outgoing.destroy(error as Error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    templates,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
