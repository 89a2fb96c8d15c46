/** A sample as it is kept, from the sample as the generator tells it. */
import { rejectionRate } from '../../common/measurement/counts';
import {
  decodeHistogram,
  summariseHistogram,
  type EncodedHistogram,
} from '../../common/measurement/histogram';
import type { Sample } from '../../common/measurement/sample';
import type { SampleDocument, TrialDocument } from '../../common/measurement/trial';

const withSummary = (histogram: EncodedHistogram): SampleDocument['service'] => ({
  ...summariseHistogram(decodeHistogram(histogram)),
  histogram,
});

export function sampleDocument(
  sample: Sample,
  { run, experiment, trial, cell }: TrialDocument,
): SampleDocument {
  const { task, at, phase, counts, service, latency, clients, offered, backlog, failures, generator } =
    sample;
  return {
    '@timestamp': new Date(at).toISOString(),
    run: { id: run.id },
    experiment,
    trial: { id: trial.id },
    cell: { id: cell.id, label: cell.label },
    task,
    phase,
    counts,
    throughput: counts.accepted,
    rejectionRate: rejectionRate(counts),
    service: withSummary(service),
    latency: withSummary(latency),
    clients,
    offered,
    backlog,
    failures,
    generator,
  };
}
