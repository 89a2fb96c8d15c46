/** Runs the load generator with its threads against small HTTP servers, whose responses the test determines. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import { decodeHistogram, type EncodedHistogram } from '../../../common/measurement/histogram';
import type { Sample } from '../../../common/measurement/sample';
import type { LoadJob, LoadOutcome, TaskJob } from '../../../server/load/contract';
import { startLoad } from '../../../server/load/pool';

const ROOT = path.resolve(__dirname, '../../..');
/**
 * Path of the built code of the load threads. Each Jest worker builds a separate file: a thread cannot start from a file that another Jest
 * worker is writing.
 */
export const WORKER = path.join(ROOT, `build/load-test/worker-${process.env['JEST_WORKER_ID'] ?? '1'}.js`);

export interface Answer {
  status: number;
  body: string;
  /** Delay of the response, in ms. Default: 0. */
  after?: number;
}

export type Behaviour = (
  documents: string[],
  request: IncomingMessage,
  body: string,
) => Answer | 'never' | 'hang-up';

/** A target whose responses the test determines. `documents`: lines of a bulk without the action lines. */
export class Target {
  readonly server: Server;
  requests = 0;

  constructor(private readonly behave: Behaviour) {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.requests += 1;
        const body = Buffer.concat(chunks).toString('utf8');
        const documents = body.split('\n').filter((line, place) => place % 2 === 1 && line !== '');
        const answer = this.behave(documents, request, body);
        if (answer === 'never') return;
        if (answer === 'hang-up') {
          request.socket.destroy();
          return;
        }
        setTimeout(() => {
          response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
        }, answer.after ?? 0);
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Returns the response to a bulk whose documents were all stored. */
export const accepted = (documents: number): string =>
  JSON.stringify({
    errors: false,
    took: 1,
    items: Array.from({ length: documents }, () => ({
      index: { _index: 'trial-1', _id: 'a', _version: 1, result: 'created', status: 201 },
    })),
  });
export const FOUND =
  '{"took":1,"timed_out":false,"_shards":{"total":1,"successful":1,"skipped":0,"failed":0},"hits":{}}';
export const REFUSED =
  '{"error":{"type":"es_rejected_execution_exception","reason":"queue full"},"status":429}';

export function job(node: string, tasks: TaskJob[], more: Partial<LoadJob> = {}): LoadJob {
  return {
    indices: ['trial-1'],
    route: 'in-turn',
    target: {
      nodes: [node],
      headers: { authorization: 'ApiKey abc' },
      verifyCertificates: true,
      requestTimeoutMs: 10_000,
    },
    tasks,
    seed: 7,
    warmupMs: 0,
    measureMs: 2000,
    documents: null,
    drainMs: 2000,
    ...more,
  };
}

export interface Result {
  outcome: LoadOutcome;
  samples: Sample[];
}

export async function fire(load: LoadJob, workers = 1): Promise<Result> {
  const samples: Sample[] = [];
  const outcome = await startLoad(load, {
    workerFile: WORKER,
    workers,
    onSample: (sample) => samples.push(sample),
  }).done;
  return { outcome, samples };
}

export async function against(
  behave: Behaviour,
  act: (node: string, target: Target) => Promise<void>,
): Promise<void> {
  const target = new Target(behave);
  try {
    await act(await target.listen(), target);
  } finally {
    await target.close();
  }
}

export const percentile = (histogram: EncodedHistogram, percent: number): number =>
  decodeHistogram(histogram).getValueAtPercentile(percent) / 1000;

/** Builds the code of the load threads. Must be called before all tests. */
export async function buildWorker(): Promise<void> {
  await build({
    entryPoints: [path.join(ROOT, 'server/load/worker.ts')],
    outfile: WORKER,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  });
}
