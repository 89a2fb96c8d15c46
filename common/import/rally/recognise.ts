/** Finds tracks of Rally and workloads of OpenSearch Benchmark among files. */
import { BENCHMARKS, type Benchmark } from './benchmark';

export interface FoundTrack {
  benchmark: Benchmark;
  /** Folder of the track or workload; '' for the root. */
  folder: string;
  file: string;
}

const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/');
const nameOf = (path: string): string => path.split('/').at(-1)!;

/** Matches keys and helpers that only OpenSearch Benchmark uses. */
const OF_OSB = /\bbenchmark\.(?:collect|helpers)\b|"test[-_]procedures?"\s*:/;
/** Matches keys and helpers that only Rally uses. */
const OF_RALLY = /\brally\.(?:collect|helpers)\b|"challenges?"\s*:/;
const OF_BOTH = /"schedule"\s*:\s*\[|"corpora"\s*:\s*\[/;

/**
 * Returns the benchmark to which a file belongs, by its contents: Rally or OpenSearch Benchmark. Returns undefined if it belongs to neither
 * of them.
 */
export function benchmarkOfText(text: string): Benchmark | undefined {
  if (!/^\s*(?:\{|\/\/|\/\*)/.test(text)) return undefined;
  if (OF_OSB.test(text)) return BENCHMARKS.osb;
  return OF_RALLY.test(text) || OF_BOTH.test(text) ? BENCHMARKS.rally : undefined;
}

/**
 * Returns all tracks and workloads among the files. They are found by the names of their main files. A single file with another name is
 * recognised by its contents.
 */
export function tracksIn(files: ReadonlyMap<string, string>): FoundTrack[] {
  const named = [...files.keys()].flatMap((path): FoundTrack[] => {
    const benchmark = Object.values(BENCHMARKS).find(({ file }) => file === nameOf(path));
    return benchmark === undefined ? [] : [{ benchmark, folder: folderOf(path), file: nameOf(path) }];
  });
  if (named.length > 0) return named.sort((a, b) => (a.folder < b.folder ? -1 : 1));
  const [[path, text] = ['', '']] = files;
  const benchmark = files.size === 1 ? benchmarkOfText(text) : undefined;
  return benchmark === undefined ? [] : [{ benchmark, folder: folderOf(path), file: nameOf(path) }];
}
