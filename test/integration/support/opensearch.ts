/**
 * Starts a complete OpenSearch, whose ingest pipelines and Painless the published Elasticsearch lacks, and a proxy that presents it as
 * an Elasticsearch, because Dyno refuses OpenSearch. Bulk responses of both have the same format.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { startCluster } from '../../../server/standalone/elasticsearch/start';

/** Time limit for the first start of OpenSearch on a busy machine, with its download, in ms. */
export const START_TIMEOUT_MS = 400_000;

/** Version of Elasticsearch that the proxy reports. */
const PRESENTED_AS = '9.5.3';

export interface OpenSearch {
  /** URL of OpenSearch itself. */
  url: string;
  /** URL of the proxy, where it looks like an Elasticsearch. */
  asElasticsearch: string;
  stop(): Promise<void>;
}

export async function startOpenSearch(): Promise<OpenSearch> {
  const { url, stop } = await startCluster({ engine: 'opensearch', ephemeral: true, heap: '512m' });
  const proxy = presenting(url);
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  return {
    url,
    asElasticsearch: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    async stop() {
      proxy.closeAllConnections();
      proxy.close();
      await stop();
    },
  };
}

/** Starts a proxy that forwards everything, except that it answers `GET /` as Elasticsearch does. */
function presenting(url: string): http.Server {
  const { hostname, port } = new URL(url);
  return http.createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, host: `${hostname}:${port}` };
    const own = http.request(
      { hostname, port, method: incoming.method, path: incoming.url, headers },
      (answer) => {
        const product = { 'x-elastic-product': 'Elasticsearch' };
        if (incoming.url !== '/' || incoming.method !== 'GET') {
          outgoing.writeHead(answer.statusCode!, { ...answer.headers, ...product });
          answer.pipe(outgoing);
          return;
        }
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const info = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { version: object };
          const version = {
            ...info.version,
            number: PRESENTED_AS,
            distribution: undefined,
            build_flavor: 'default',
          };
          outgoing
            .writeHead(200, { 'content-type': 'application/json', ...product })
            .end(JSON.stringify({ ...info, version, tagline: 'You Know, for Search' }));
        });
      },
    );
    own.on('error', () => outgoing.destroy());
    incoming.on('error', () => own.destroy());
    incoming.pipe(own);
  });
}
