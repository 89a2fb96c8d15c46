/** The benchmarks whose files are imported, and the words that each uses for the same things. */

export interface Benchmark {
  name: 'Rally' | 'OpenSearch Benchmark';
  /** Tag of the definitions. */
  tag: string;
  /** The file that holds a track or workload. */
  file: string;
  track: string;
  challenge: string;
  /** Folders beside a track or workload that all of them share. */
  shared: readonly string[];
  /** Names of the folder's Python entry. */
  python: string;
  /** How operations that depend on Python code are carried over; absent if they cannot be. */
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
    expand:
      '`dyno import rally TRACK --python PYTHON` carries it over, where PYTHON is a Python with esrally',
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
