/**
 * Benchmark that measures how long a run blocks Kibana's event loop if Kibana's process executes the run. Everything except Kibana itself
 * is real.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import { definitionSchema } from '../../common/experiment/definition';
import { atTargets, becomeActor, keptGrant } from '../../server/kibana/actor';
import { fakeTaskManager } from '../../server/kibana/testing/fake-task-manager';
import { fakeKibanaServices } from '../../server/kibana/testing/fake-kibana-services';
import { fakeSavedObjects } from '../../server/kibana/testing/fake-saved-objects';
import { RunQueue } from '../../server/run/queue/queue';
import { startElasticsearch } from '../../server/standalone/elasticsearch/start';
import { Connection } from '../../server/target-cluster/connection';
import { figure, type Row } from './table';

const DOCUMENTS = 2_000_000;
const IDLE_MS = 15_000;

const definition = definitionSchema.parse({
  version: 1,
  name: 'event loop',
  index: { settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '30s' } },
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'systembase' }, bulk: { docs: 2000 } },
      executor: { 'constant-clients': { clients: 2 } },
    },
  ],
  measure: { warmup: '5s', documents: DOCUMENTS },
  trials: 1,
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Measures how late a timer of 1 ms fires while `work` is executed, minus the resolution of the timer. The times in the histogram are in
 * ns.
 */
export async function delaysDuring(work: () => Promise<unknown>): Promise<IntervalHistogram> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  await work();
  delays.disable();
  return delays;
}

const rowOf = (name: string, delays: IntervalHistogram): Row => ({
  'event loop': name,
  'p50 ms': figure(delays.percentile(50) / 1e6),
  'p90 ms': figure(delays.percentile(90) / 1e6),
  'p99 ms': figure(delays.percentile(99) / 1e6),
  'max ms': figure(delays.max / 1e6),
});

/** Executes one run of two million documents in this process, as Kibana does. */
export async function benchEventLoop(workerFile: string): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-event-loop-'));
  const cluster = await startElasticsearch({ ephemeral: true, heap: '1g' });
  const client = new Connection({ hosts: cluster.nodes.map(({ url }) => url) });
  try {
    const kibana = fakeKibanaServices({
      client,
      objects: fakeSavedObjects(),
      taskManager: fakeTaskManager(),
      folder,
    });
    const idle = await delaysDuring(() => pause(IDLE_MS));
    const queue = new RunQueue({ workerFile, version: 'bench', onProblem: () => undefined });
    const actor = await becomeActor(kibana, keptGrant(null, null), { space: undefined, corpora: folder });
    const connect = (): Promise<Connection> => Promise.resolve(new Connection({ hosts: [...client.urls] }));
    let run = '';
    const busy = await delaysDuring(async () => {
      const order = { definition, experimentId: 'event-loop', asked: 'manually' } as const;
      const started = await queue.start(order, atTargets(actor, { connect }));
      ({ run } = started);
      await started.done;
    });
    await queue.close('the benchmark is over');
    const trials = await actor.reader.getTrials(run);
    const { counts, throughput } = trials[0]!.tasks[0]!;
    if (counts.accepted !== DOCUMENTS) throw new Error(`${counts.accepted} documents were accepted`);
    const added = (busy.percentile(99) - idle.percentile(99)) / 1e6;
    return [
      rowOf('idle', idle),
      rowOf(`a run of ${DOCUMENTS} documents, ${Math.round(throughput)}/s`, busy),
      { 'event loop': 'added', 'p99 ms': figure(added) },
    ];
  } finally {
    await client.close();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
