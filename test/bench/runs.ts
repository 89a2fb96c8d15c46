/**
 * Executes runs with the built command on a real Elasticsearch. Also provides a proxy that observes or delays the requests of these runs.
 */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Report } from '../../common/report/model/report';

/** Path of the built command. scripts/bench.mjs builds it into the same folder as this bundle. */
const COMMAND = fileURLToPath(new URL('./dyno.js', import.meta.url));

export interface Outcome {
  code: number | null;
  stdout: string;
  /** Standard output and standard error together. */
  output: string;
}

/** Runs the built command with its data in `folder`. */
export async function command(folder: string, args: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: { ...process.env, DYNO_DATA: path.join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((ended) => child.once('close', ended));
  return { code, stdout, output };
}

/**
 * Executes one run with the built command, with its files in `folder`. Resolves to the report of the run. `elasticsearch`: URL of the
 * target; if null, Dyno starts the clusters. Throws an error with the command's output if the run does not complete.
 */
export async function reportOf(
  folder: string,
  elasticsearch: string | null,
  definition: object,
): Promise<Report> {
  const [given, report] = [path.join(folder, 'definition.json'), path.join(folder, 'report.json')];
  writeFileSync(given, JSON.stringify(definition));
  const place = [...(elasticsearch === null ? [] : ['--elasticsearch', elasticsearch]), '--no-collector'];
  const { code, output } = await command(folder, ['run', given, ...place, '--report', report]);
  if (code !== 0) throw new Error(`the run ended with ${String(code)}:\n${output}`);
  const read = JSON.parse(readFileSync(report, 'utf8')) as Report;
  rmSync(report);
  return read;
}

/** A request that passed through the proxy, with its response. */
export interface Passed {
  method: string;
  url: string;
  body: string;
  answer: Buffer;
  /** Response time in ms. */
  tookMs: number;
}

/**
 * Starts a proxy that forwards everything to `upstream`. Calls `look` with each request and its response, and delays the response by the
 * number of ms that `look` returns.
 */
export async function passingProxy(
  upstream: string,
  look: (passed: Passed) => number,
): Promise<{ url: string; stop: () => void }> {
  const { hostname, port } = new URL(upstream);
  const agent = new Agent({ keepAlive: true });
  const wholeOf = async (stream: IncomingMessage): Promise<Buffer> => {
    const pieces: Buffer[] = [];
    for await (const piece of stream) pieces.push(piece as Buffer);
    return Buffer.concat(pieces);
  };
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/', headers } = request;
    const body = await wholeOf(request);
    const sent = performance.now();
    const answered = await new Promise<IncomingMessage>((resolve, reject) => {
      const asked = send({ agent, hostname, port, method, path: url, headers }, resolve);
      asked.once('error', reject);
      asked.end(body);
    });
    const answer = await wholeOf(answered);
    const holdMs = look({ method, url, body: body.toString(), answer, tookMs: performance.now() - sent });
    if (holdMs > 0) await sleep(holdMs);
    response.writeHead(answered.statusCode ?? 502, answered.headers);
    response.end(answer);
  };
  const server = createServer((request, response) => {
    pass(request, response).catch(() => request.socket.destroy());
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}
