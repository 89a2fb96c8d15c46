/** The mapping of `dyno-samples-*`: one document for each task and second. */
import type { SampleDocument } from '../../../common/measurement/trial';
import { date, double, kept, keyword, long, object, opaque, type Fields } from './field';
import { counts, experimentMark, generatorHealth, id, latencySummary } from './measured';

export const samples: Fields<SampleDocument> = {
  '@timestamp': date,
  run: object<SampleDocument['run']>(id),
  experiment: object<SampleDocument['experiment']>(experimentMark),
  trial: object<SampleDocument['trial']>(id),
  cell: object<SampleDocument['cell']>({ id: keyword, label: keyword }),
  task: keyword,
  taskKind: keyword,
  phase: keyword,
  counts: object<SampleDocument['counts']>(counts),
  throughput: double,
  rejectionRate: double,
  service: object<SampleDocument['service']>({ ...latencySummary, histogram: opaque }),
  latency: object<SampleDocument['latency']>({ ...latencySummary, histogram: opaque }),
  clients: long,
  offered: double,
  backlog: long,
  failures: kept,
  requests: kept,
  generator: object<SampleDocument['generator']>(generatorHealth),
};
