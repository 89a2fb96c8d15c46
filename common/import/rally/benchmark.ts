/** The two benchmarks with files that can be imported, and the terms that each benchmark uses for the same concepts. */

export interface Benchmark {
  name: 'Rally' | 'OpenSearch Benchmark';
  /** Tag that the converted definitions get. */
  tag: string;
  /** Name of the file of a track or workload. */
  file: string;
  track: string;
  challenge: string;
  /** Names of folders next to the folder of a track or workload. All tracks or workloads share these folders. */
  shared: readonly string[];
  /** Names of the Python file in the folder that the benchmark loads. */
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
