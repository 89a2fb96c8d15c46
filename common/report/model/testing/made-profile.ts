/** A profile of the run of `refreshRun`: with 30s, refreshes have a smaller share of the CPU time than with 1s. */
import type { Profile } from '../profile';

export const MADE_PROFILE: Profile = {
  cells: [
    { cell: 0, label: 'refresh_interval=1s', trials: 3 },
    { cell: 2, label: 'refresh_interval=30s', trials: 3 },
  ],
  events: ['cpu'],
  nodes: ['es-1'],
  pools: ['write'],
  ...{ cell: 2, against: 0, event: 'cpu', source: 'hot-threads' },
  samples: { cell: 10, against: 10 },
  perTrial: { cell: 5000, against: 5000 },
  activities: [],
  tree: {
    names: ['all', 'a.Engine.refresh', 'a.Bulk.index'],
    name: [0, 1, 2],
    parent: [-1, 0, 0],
    activity: [null, null, null],
    share: [1, 0.1, 0.9],
    against: [1, 0.5, 0.5],
    changes: [
      { frame: 1, difference: -0.4, low: -0.5, high: -0.3, isDecided: true },
      { frame: 2, difference: 0.4, low: -0.1, high: 0.9, isDecided: false },
    ],
  },
  undecidable: '',
  changes: [{ frame: 1, sentence: 'refreshes (Engine.refresh): 50% of CPU with 1s, 10% with 30s' }],
};
