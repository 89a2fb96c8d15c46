/** Mappings of the fields that trials and samples have in common. */
import type { Counts } from '../../../common/measurement/counts';
import type { ExperimentMark } from '../../../common/measurement/experiment-mark';
import type { LatencySummary } from '../../../common/measurement/histogram';
import type { MachineLoad } from '../../../common/measurement/instrument';
import type { GeneratorHealth } from '../../../common/measurement/sample';
import { forOutcomes } from '../../../common/measurement/outcomes';
import { boolean, double, keyword, long, object, type Fields } from './field';

export const counts: Fields<Counts> = {
  requests: long,
  failedRequests: long,
  attempted: long,
  ...forOutcomes(() => long),
  bytes: long,
};

export const latencySummary: Fields<LatencySummary> = {
  count: long,
  mean: double,
  min: double,
  max: double,
  p50: double,
  p90: double,
  p95: double,
  p99: double,
  p99_9: double,
  p99_99: double,
};

export const generatorHealth: Fields<GeneratorHealth> = {
  cpuMs: double,
  utilisation: double,
  eventLoopDelayMs: double,
  scheduleLagMs: double,
  machine: object<MachineLoad>({ busy: double, steal: double, own: double }),
};

export const experimentMark: Fields<ExperimentMark> = {
  id: keyword,
  name: keyword,
  target: keyword,
  space: keyword,
  provokesRejections: boolean,
};

/** Fields of an object that contains only an id. Ids have the same field names in all indices, so that one filter works for all of them. */
export const id: Fields<{ id: string }> = { id: keyword };
