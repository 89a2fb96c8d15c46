/**
 * Reads the output of async-profiler in its format `collapsed`, with the options `threads`, `total`, `dot` and `norm`. Source of the
 * format: `Profiler::dumpCollapsed` and `FrameName` of async-profiler 4.x.
 */
import type { ThreadSample } from './hot-threads';

/** `[thread tid=4711];outermost;...;innermost 20000000`. A thread that ended before the output has no name. */
const LINE = /^\[(?:(.*) )?tid=\d+\];(.+) (\d+)$/;

const NS_PER_US = 1000;

/**
 * Creates a function that parses a line: the CPU time in ns of one stack of one thread. It returns undefined for a line in another form.
 * The function keeps one copy of each frame name, because the lines of a profile repeat the same names many thousand times. `intervalMs`:
 * CPU time between two samples of a thread.
 */
export function profilerLineReader(intervalMs: number): (line: string) => ThreadSample | undefined {
  const names = new Map<string, string>();
  const only = (name: string): string => {
    const known = names.get(name);
    if (known !== undefined) return known;
    names.set(name, name);
    return name;
  };
  return (line) => {
    const [, thread = '', stack, ns] = LINE.exec(line) ?? [];
    if (stack === undefined) return undefined;
    const weight = Number(ns) / NS_PER_US;
    return {
      thread: only(thread),
      weight,
      frames: stack.split(';').map(only).reverse(),
      samples: Math.max(1, Math.round(weight / 1000 / intervalMs)),
    };
  };
}
