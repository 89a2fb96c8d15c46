/**
 * Executes a definition with the source code around this file, and prints the result as JSON: `probe.js WORKER DEFINITION`. WORKER is the
 * absolute path of the built code of the load threads. The script is run in a copy of the source code that was changed according to
 * CONTRIBUTING.md. The load sends searches to a server on loopback for the duration of the measured phase in the definition.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EXECUTORS } from '../../common/executors/registry';
import { makePlan, plannedLoads } from '../../common/experiment/plan';
import { readDefinition } from '../../common/experiment/read';
import { startLoad } from '../../server/load/pool';
import { loadJob } from '../../server/run/trial/load-job';

const FOUND =
  '{"took":1,"timed_out":false,"_shards":{"total":1,"successful":1,"skipped":0,"failed":0},"hits":{}}';

const [workerFile, written] = process.argv.slice(2) as [string, string];
const plan = makePlan(readDefinition(JSON.parse(written)));

/** Arrival times of requests, in ms of `performance.now()`. */
const arrivals: number[] = [];
const server = createServer((request, response) => {
  arrivals.push(performance.now());
  request.resume().on('end', () => response.setHeader('content-type', 'application/json').end(FOUND));
});
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});

const { tasks } = await startLoad(
  loadJob(plan.cells[0]!.definition, {
    indices: ['trial'],
    target: {
      nodes: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
      headers: {},
      verifyCertificates: true,
      requestTimeoutMs: 10_000,
    },
    folder: '.',
    trialSeed: 'probe',
  }),
  { workerFile, workers: 2, onSample: () => undefined },
).done;
server.close();
server.closeAllConnections();

process.stdout.write(
  JSON.stringify({
    form: EXECUTORS.map(({ name, label, form }) => ({ name, label, form })),
    loads: plannedLoads(plan),
    arrivals: arrivals.map((time) => time - arrivals[0]!),
    task: { offered: tasks[0]!.offered, sent: tasks[0]!.sent, accepted: tasks[0]!.measured.accepted },
  }),
);
