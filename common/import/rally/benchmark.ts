/**
 * The two benchmarks whose files can be imported, Rally and OpenSearch Benchmark. They have different terms for the same concepts; a
 * *workload* of OpenSearch Benchmark corresponds to a *track* of Rally.
 */

export interface Benchmark {
  name: 'Rally' | 'OpenSearch Benchmark';
  /** Tag of the definitions that are converted from this benchmark. */
  tag: string;
  /** Name of the main file of a track or workload. */
  file: string;
  track: string;
  challenge: string;
  /** Names of folders that all tracks or workloads may use. They are next to the folder of the track or workload. */
  shared: readonly string[];
  /** Name of the Python file that the benchmark loads from the folder of a track or workload. */
  python: string;
  /**
   * Advice on how a user can import operations that depend on Python code. Messages append it to the reason why such an operation was left
   * out. Undefined if these operations cannot be imported.
   */
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
