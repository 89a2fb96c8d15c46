/**
 * Reads the output of async-profiler in its format `collapsed`, with the options `threads`, `total`, `dot` and `norm`. Source of the
 * format: `Profiler::dumpCollapsed` and `FrameName` of async-profiler 4.x.
 */
import { EVENTS, type ProfileEvent } from './events';
import type { ThreadSample } from './hot-threads';

/** `[thread tid=4711];outermost;...;innermost 20000000`. A thread that ended before the output has no name. */
const LINE = /^\[(?:(.*) )?tid=\d+\];(.+) (\d+)$/;

const NS_PER_US = 1000;

/** Matches stacks of threads that execute tasks: of a thread pool, for the network (Netty), or merges of Lucene. */
const WORKERS =
  /(?:^|;)(?:java\.util\.concurrent\.(?:ThreadPoolExecutor\.runWorker|ForkJoinWorkerThread\.run)|io\.netty\.channel\.[\w.]*EventLoop\.run|org\.apache\.lucene\.index\.ConcurrentMergeScheduler\$MergeThread\.run);/;

/** Matches stacks of workers without work: they wait for the next task, for sockets, or for the end of a process (a task of the JDK). */
const IDLE =
  /;(?:java\.util\.concurrent\.(?:ThreadPoolExecutor\.getTask|ForkJoinPool\.awaitWork)|sun\.nio\.ch\.(?:EPoll\.wait|KQueue\.poll)|java\.lang\.ProcessHandleImpl\$1\.run)(?:;|$)/;

/** Returns whether a thread with this stack works on a task, or waits within it. */
const isAtWork = (stack: string): boolean => WORKERS.test(stack) && !IDLE.test(stack);

/**
 * Creates a function that parses a line: the weight of one stack of one thread. It returns undefined for a line in another form, and for
 * elapsed time (`wall`) in which a thread had no work. The function keeps one copy of each frame name, because the lines of a profile
 * repeat the same names many thousand times.
 */
export function profilerLineReader(event: ProfileEvent): (line: string) => ThreadSample | undefined {
  const { unit, perSample } = EVENTS[event];
  const names = new Map<string, string>();
  const only = (name: string): string => {
    const known = names.get(name);
    if (known !== undefined) return known;
    names.set(name, name);
    return name;
  };
  return (line) => {
    const [, thread = '', stack, counter] = LINE.exec(line) ?? [];
    if (stack === undefined || (event === 'wall' && !isAtWork(stack))) return undefined;
    const weight = unit === 'us' ? Number(counter) / NS_PER_US : Number(counter);
    return {
      thread: only(thread),
      weight,
      frames: stack.split(';').map(only).reverse(),
      samples: perSample === null ? 1 : Math.max(1, Math.round(weight / perSample)),
    };
  };
}
