/**
 * The load script that most people would write themselves: undici, JSON.stringify for each document, and two parallel clients. A benchmark
 * compares Dyno with this script.
 */
import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';

export interface Figures {
  /** Number of documents that were sent per second. */
  rate: number;
  /** CPU seconds of the load generator per million documents. */
  cpu: number;
  /** Resident memory of the process, in bytes. */
  memory: number;
}

const CLIENTS = 2;
const DOCS = 1000;
const LENGTH_MS = 4000;

const below = (bound: number): number => Math.floor(Math.random() * bound);
const among = (...values: string[]): string => values[below(values.length)]!;

/** Makes one document with the code of the published benchmark systembase. */
function document(): string {
  const host = below(20);
  return JSON.stringify({
    '@timestamp': new Date(),
    name: among('checkout', 'order', 'search', 'payment'),
    message: among(
      'Incoming request from code',
      'incoming operation succeeded with code',
      'Operation completed time',
      'transaction performed',
    ),
    severityCode: below(10),
    severity: among('info', 'warning', 'transaction', 'verbose'),
    hostname: `Hostname${host}`,
    hostip: `10.1.0.${host}`,
    pid: below(10),
    tid: below(10),
    appId: `${below(4) + 4}D24BD62-20BF-4D74-B6DC-31313ABADB82`,
    appName: `application${host}`,
    appVersion: below(5),
    type: below(6),
    subtype: below(6),
    correlationId: randomUUID(),
    os: 'linux',
    osVersion: '14.1.5',
    parameters: '{key:value,key:value}',
  });
}

export async function benchBaseline(url: string): Promise<Figures> {
  const pool = new Pool(url, { connections: CLIENTS });
  const begun = performance.now();
  const cpu = process.cpuUsage();
  let documents = 0;
  const client = async (): Promise<void> => {
    while (performance.now() - begun < LENGTH_MS) {
      let body = '';
      for (let i = 0; i < DOCS; i += 1) body += `{"index":{}}\n${document()}\n`;
      const answer = await pool.request({
        path: '/index/_bulk',
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body,
      });
      const { errors } = (await answer.body.json()) as { errors: boolean };
      if (!errors) documents += DOCS;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const { user, system } = process.cpuUsage(cpu);
  const elapsed = performance.now() - begun;
  await pool.close();
  return {
    rate: (documents / elapsed) * 1000,
    cpu: (user + system) / documents,
    memory: process.memoryUsage().rss,
  };
}
