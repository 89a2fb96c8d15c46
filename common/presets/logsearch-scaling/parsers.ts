/** The number of parsers, and nothing else: what the account's step from B to C shows. */
import type { Preset } from '../preset';
import {
  AN_HOUR,
  COMMON_CHANGES,
  COMPARED,
  DEPLOYMENTS,
  NOTES,
  PARSERS,
  QUICK_MEASURE,
  REPEATED,
  SEED,
  TITLE,
  UNITS,
  workload,
} from './account';

/** B and C: a server for each component, with 1 parser and with 4. */
const STEP = DEPLOYMENTS.slice(1, 3);

export const logsearchParsers: Preset = {
  name: 'logsearch-parsers',
  summary: 'From 1 to 4 parsers, all else equal: whether parsing is the limit',
  definition: {
    version: 1,
    name: 'Parsers against throughput (logsearch)',
    hypothesis: 'As long as parsing is the limit, throughput rises with the number of parsers',
    expect: [`ingest.throughput rises with ${PARSERS}`],
    ...workload(1, { number_of_replicas: 0, refresh_interval: '1s' }),
    factors: { [PARSERS]: [1, 2, 4] },
    measure: AN_HOUR,
    trials: 3,
  },
  quick: QUICK_MEASURE,
  published: {
    seed: SEED,
    title: TITLE,
    conditions: [
      'logsearch v19 on AWS, a c4.large (2 cores, 3.75 GB) for each component, 1 and 4 parser servers; 4 shards, no replica; at least an hour.',
      'With 4 as with 1 the CPU of the parsers was at its limit, and Elasticsearch was not.',
    ],
    repeated: REPEATED,
    units: UNITS,
    rows: STEP.map(({ parsers, perSecond, perMinute }) => ({
      levels: { [PARSERS]: parsers },
      figures: { perSecond, perMinute },
    })),
    compared: COMPARED,
    notes: [
      NOTES.best,
      NOTES.cut,
      'It says that throughput more than quadrupled: 4.27 times by its figures, which 4 parsers for 1 cannot bring by themselves. The best of a few trials may.',
      NOTES.unknown,
    ],
    changes: [
      ...COMMON_CHANGES,
      'Its parsers had servers of their own. Threads share the cores of one machine, with Elasticsearch too unless that is elsewhere: more parsers than cores bring nothing.',
      'A slower pattern makes parsing the limit sooner: put that of your own logs under parse.',
    ],
  },
};
