/**
 * Reads responses of the API `_nodes/hot_threads`. The format is defined in `HotThreads.java` and `TransportNodesHotThreadsAction.java` of
 * Elasticsearch 7.17 and 9.x, and of OpenSearch 2.x and 3.x. The responses contain only Java threads, so the threads of the garbage
 * collector and of the JIT compiler are missing.
 */

/**
 * Weight of one thread with one stack, such as its CPU time. In a reading of hot threads: the CPU time in its interval, with the stack at
 * the end of the interval.
 */
export interface ThreadSample {
  thread: string;
  /** Weight in the unit of the profile: µs for CPU time. */
  weight: number;
  /** Frames as `package.Class.method`, the innermost one first. Empty if it is unknown for what the thread used its CPU time. */
  frames: readonly string[];
  /** Number of samples with this stack. Absent for one. */
  samples?: number;
}

/** Threads of one node in one reading. */
export interface NodeThreads {
  nodeId: string;
  nodeName: string;
  threads: readonly ThreadSample[];
}

/** Matches the first line of a node: `::: {name}{id}...`. */
const NODE = /^::: \{(.*?)\}\{([^{}]+)\}/;
/**
 * Matches the first line of a thread. Elasticsearch since 8.0 also writes the CPU time separately, as `[cpu=3.2%, other=66.0%]`. Other
 * servers write only the CPU time.
 */
const THREAD =
  /^ +([\d.]+)%(?: \[cpu=([\d.]+)%[^\]]*\])? \([^)]* out of ([\d.]+)(nanos|micros|ms|s|m)\) cpu usage by thread '(.*)'$/;
const FRAME = /^ {7}(\S+?)\(/;

/** Matches the innermost frame of threads that wait: for a task or a lock, for sockets, or for the disk (`force0`). */
const WAITS =
  /^(?:jdk\.internal\.misc\.Unsafe\.park|java\.lang\.Object\.wait0?|java\.lang\.Thread\.sleep\w*|sun\.nio\.ch\.(?:EPoll\.wait|KQueue\.poll|\w+\.force0))$/;

const UNIT_US: Readonly<Record<string, number>> = { nanos: 1e-3, micros: 1, ms: 1000, s: 1e6, m: 6e7 };

/**
 * Parses a response of `_nodes/hot_threads?snapshots=1`. With several snapshots, the API would leave out the innermost frames in which the
 * snapshots differ. Threads without CPU time are left out of the result. A thread that waits at the end of the interval has no frames,
 * because it used its CPU time for something else.
 */
export function parseHotThreads(text: string): NodeThreads[] {
  const nodes: (NodeThreads & { threads: ThreadSample[] })[] = [];
  let frames: string[] = [];
  for (const line of text.split('\n')) {
    const frame = FRAME.exec(line);
    if (frame !== null) {
      frames.push(frameOf(frame[1]!));
      continue;
    }
    const node = NODE.exec(line);
    if (node !== null) {
      nodes.push({ nodeId: node[2]!, nodeName: node[1]!, threads: [] });
      continue;
    }
    const thread = THREAD.exec(line);
    if (thread === null) continue;
    const [, percent, cpuPercent, interval, unit, name] = thread;
    const weight = (Number(cpuPercent ?? percent) / 100) * Number(interval) * UNIT_US[unit!]!;
    frames = [];
    if (weight > 0) nodes.at(-1)?.threads.push({ thread: name!, weight, frames });
  }
  return nodes.map((node) => ({ ...node, threads: node.threads.map(withoutWaiting) }));
}

const withoutWaiting = (thread: ThreadSample): ThreadSample =>
  WAITS.test(thread.frames[0] ?? '') ? { ...thread, frames: [] } : thread;

/**
 * Returns a frame without its class loader and module (`app/org.elasticsearch.server@9.5.3/`), and without the address of a lambda or a
 * hidden class. The same code then has the same name on all nodes.
 */
function frameOf(text: string): string {
  const stable = text.replace(/[/+]0x[0-9a-f]+/, '');
  return stable.slice(stable.lastIndexOf('/') + 1);
}
