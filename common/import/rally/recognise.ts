/** Whether files hold a track of Rally or a workload of OpenSearch Benchmark, and where. */
import { BENCHMARKS, type Benchmark } from './benchmark';

export interface FoundTrack {
  benchmark: Benchmark;
  /** The folder that holds it; '' for the uppermost one. */
  folder: string;
  file: string;
}

const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/');
const nameOf = (path: string): string => path.split('/').at(-1)!;

/** What only the one of them writes, and what both do. */
const OF_OSB = /\bbenchmark\.(?:collect|helpers)\b|"test[-_]procedures?"\s*:/;
const OF_RALLY = /\brally\.(?:collect|helpers)\b|"challenges?"\s*:/;
const OF_BOTH = /"schedule"\s*:\s*\[|"corpora"\s*:\s*\[/;

/** The benchmark whose file `text` is, by what it says; undefined for neither. */
export function benchmarkOfText(text: string): Benchmark | undefined {
  if (!/^\s*(?:\{|\/\/|\/\*)/.test(text)) return undefined;
  if (OF_OSB.test(text)) return BENCHMARKS.osb;
  return OF_RALLY.test(text) || OF_BOTH.test(text) ? BENCHMARKS.rally : undefined;
}

/** All that are there: by the names of their files, else the only file by what it says. */
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
