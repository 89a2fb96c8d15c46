/** The benchmarks whose files can be imported, and their different words for the same concepts. */

export interface Benchmark {
  name: 'Rally' | 'OpenSearch Benchmark';
  /** Tag of the definitions. */
  tag: string;
  /** Name of the file of a track or workload. */
  file: string;
  track: string;
  challenge: string;
  /** Folders next to a track or workload that all of them share. */
  shared: readonly string[];
  /** Names of the folder's Python entry. */
  python: string;
  /** How to convert operations that depend on Python code; absent if it is not possible. */
  expand?: string;
}

export const BENCHMARKS: Readonly<Record<'rally' | 'osb', Benchmark>> = {
  rally: {
    name: 'Rally',
    tag: 'rally',
    file: 'track.json',
    track: 'track',
    challenge: 'challenge',
    shared: [],
    python: 'track.py',
    expand: '`dyno import rally TRACK --python PYTHON` converts it, where PYTHON is a Python with esrally',
  },
  osb: {
    name: 'OpenSearch Benchmark',
    tag: 'opensearch-benchmark',
    file: 'workload.json',
    track: 'workload',
    challenge: 'test procedure',
    shared: ['common_operations'],
    python: 'workload.py',
  },
};
