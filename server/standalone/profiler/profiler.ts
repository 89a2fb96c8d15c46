/** Profiles the JVMs of nodes that Dyno started on this machine, with async-profiler. See docs/decisions/0014-profiler.md. */
import { createReadStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { NodeThreads, ThreadSample } from '../../../common/profile/hot-threads';
import { profilerLineReader } from '../../../common/profile/profiler-output';
import { inputError, runError } from '../../../common/problem';
import { isAlive } from '../../process-life';
import type { LoadedProfiler, NodeProcess, NodeProfiler } from '../../target-cluster/node-profiler';
import { serverIdentity } from '../elasticsearch/identity';
import { folderOfNode, temporaryOf } from '../elasticsearch/node-folder';
import { loadAgent } from './attach';
import { profilerLibrary } from './library';

/** CPU time of a thread between two of its samples, in ms. It is also the resolution of the timers of many Linux kernels. */
const INTERVAL_MS = 10;

/**
 * Options of every start. `cpu` uses the performance counters of Linux if it may, and otherwise a timer for each thread; macOS has only
 * `itimer`. `memlimit` bounds the memory for different stacks in the node: further stacks are counted as `[storage_overflow]`.
 */
const SAMPLING = [
  'start',
  `event=${process.platform === 'darwin' ? 'itimer' : 'cpu'}`,
  `interval=${INTERVAL_MS}ms`,
  'jstackdepth=512',
  'memlimit=64m',
  'threads',
];
/** Options of every stop: the output that {@link profilerLineReader} reads. */
const OUTPUT = ['stop', 'collapsed', 'threads', 'total', 'dot', 'norm'];

/** Names of the files that the agent writes to the temporary folder of the node. The next start of the node empties this folder. */
const STACKS_FILE = 'dyno-profile.txt';
const LOG_FILE = 'dyno-profiler.log';

/** Time limit, in ms, of the sampling that only proves that the profiler works in a node. */
const PROOF_MS = 60_000;

class Agent {
  constructor(
    private readonly node: NodeProcess,
    private readonly library: string,
    private readonly folder: string,
  ) {}

  get isAlive(): boolean {
    return isAlive(this.node.pid);
  }

  /** Lets the agent carry out a command. Rejects with a DynoError that contains the reason from the agent's log. */
  async run(options: readonly string[]): Promise<void> {
    const log = join(this.folder, LOG_FILE);
    try {
      await loadAgent(this.node.pid, this.library, [...options, `log=${log}`, 'loglevel=error'].join());
    } catch (error) {
      const said = (await readFile(log, 'utf8').catch(() => '')).replace(/^\[ERROR\] /gm, '').trim();
      if (said === '') throw error;
      throw runError(
        'profiler.refused',
        '',
        `the profiler of the node ${this.node.name} says: ${said}`,
        error,
      );
    } finally {
      await rm(log, { force: true });
    }
  }

  async start(limitMs: number): Promise<void> {
    await this.run([...SAMPLING, `timeout=${Math.ceil(limitMs / 1000)}`]);
  }

  async stop(): Promise<NodeThreads> {
    const file = join(this.folder, STACKS_FILE);
    try {
      await this.run([...OUTPUT, `file=${file}`]);
      const { id: nodeId, name: nodeName } = this.node;
      return { nodeId, nodeName, threads: await readSamples(file) };
    } finally {
      await rm(file, { force: true });
    }
  }
}

async function readSamples(file: string): Promise<ThreadSample[]> {
  const read = profilerLineReader(INTERVAL_MS);
  const samples: ThreadSample[] = [];
  for await (const line of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
    const sample = read(line);
    if (sample !== undefined) samples.push(sample);
  }
  return samples;
}

export interface OwnNodes {
  /** Data folder of the cluster, with one folder for each node. */
  dataFolder: string;
  /** Process ids of the nodes. */
  pids: readonly number[];
}

export const createNodeProfiler = (own: OwnNodes): NodeProfiler => ({
  async load(nodes, signal) {
    const other = nodes.find(({ pid }) => !own.pids.includes(pid));
    if (other) throw runError('profiler.other-node', '', `Dyno did not start the node ${other.name}`);
    // The options of the agent are separated by commas, and `%` begins a placeholder.
    if (/[,%]/.test(own.dataFolder))
      throw inputError(
        'profiler.folder',
        '',
        `the profiler cannot write to a folder with "," or "%" in its name: ${own.dataFolder}`,
      );
    const library = await profilerLibrary(serverIdentity(), { signal });
    const agents = nodes.map(
      (node) => new Agent(node, library, temporaryOf(folderOfNode(own.dataFolder, node.name))),
    );
    const each = <T>(act: (agent: Agent) => Promise<T>): Promise<T[]> =>
      Promise.all(agents.filter((agent) => agent.isAlive).map(act));
    // An earlier run that was killed may still sample.
    await each((agent) => agent.stop().catch(() => undefined));
    // The first start reads the symbols of all libraries, which takes CPU time. Later starts are fast.
    await each((agent) => agent.start(PROOF_MS));
    await each((agent) => agent.stop());
    return {
      async start(limitMs) {
        try {
          await each((agent) => agent.start(limitMs));
        } catch (error) {
          await each((agent) => agent.stop().catch(() => undefined));
          throw error;
        }
      },
      stop: () => each((agent) => agent.stop()),
    } satisfies LoadedProfiler;
  },
});
