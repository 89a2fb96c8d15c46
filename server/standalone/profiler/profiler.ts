/** Profiles the JVMs of nodes that Dyno started on this machine, with async-profiler. See docs/decisions/0014-profiler.md. */
import { createReadStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { NodeThreads, ThreadSample } from '../../../common/profile/hot-threads';
import { EVENTS, type ProfileEvent } from '../../../common/profile/events';
import { profilerLineReader } from '../../../common/profile/profiler-output';
import { inputError, runError } from '../../../common/problem';
import { isAlive } from '../../process-life';
import type { LoadedProfiler, NodeProcess, NodeProfiler } from '../../target-cluster/node-profiler';
import { serverIdentity } from '../elasticsearch/identity';
import { folderOfNode, temporaryOf } from '../elasticsearch/node-folder';
import { loadAgent } from './attach';
import { profilerLibrary } from './library';

/**
 * Returns the options of a start. macOS has only `itimer` for CPU time. `memlimit` bounds the memory for different stacks in the node:
 * further stacks are counted as `[storage_overflow]`.
 */
const samplingOf = (event: ProfileEvent): string[] => [
  'start',
  ...EVENTS[event].options.map((option) =>
    option === 'event=cpu' && process.platform === 'darwin' ? 'event=itimer' : option,
  ),
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
  /** Event of the last start. */
  private event: ProfileEvent = 'cpu';

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

  async start(event: ProfileEvent, limitMs: number): Promise<void> {
    this.event = event;
    await this.run([...samplingOf(event), `timeout=${Math.ceil(limitMs / 1000)}`]);
  }

  async stop(): Promise<NodeThreads> {
    const file = join(this.folder, STACKS_FILE);
    try {
      await this.run([...OUTPUT, `file=${file}`]);
      const { id: nodeId, name: nodeName } = this.node;
      return { nodeId, nodeName, threads: await readSamples(file, this.event) };
    } finally {
      await rm(file, { force: true });
    }
  }
}

async function readSamples(file: string, event: ProfileEvent): Promise<ThreadSample[]> {
  const read = profilerLineReader(event);
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
  async load(nodes, events, signal) {
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
    for (const event of events) {
      await each((agent) => agent.start(event, PROOF_MS));
      await each((agent) => agent.stop());
    }
    return {
      async start(event, limitMs) {
        try {
          await each((agent) => agent.start(event, limitMs));
        } catch (error) {
          await each((agent) => agent.stop().catch(() => undefined));
          throw error;
        }
      },
      stop: () => each((agent) => agent.stop()),
    } satisfies LoadedProfiler;
  },
});
