/** A sample as it is kept, from the sample as the generator tells it. */
import { rejectionRate } from '../../../common/measurement/counts';
import {
  decodeHistogram,
  summariseHistogram,
  type EncodedHistogram,
} from '../../../common/measurement/histogram';
import type { RequestRecord, Sample } from '../../../common/measurement/sample';
import type { SampleDocument, TrialDocument } from '../../../common/measurement/trial';

const withSummary = (histogram: EncodedHistogram): SampleDocument['service'] => ({
  ...summariseHistogram(decodeHistogram(histogram)),
  histogram,
});

/** Figures alone: the trial has the histograms, and a second of many requests would be a large document. */
function requestFigures({
  count,
  failed,
  service,
}: RequestRecord): NonNullable<SampleDocument['requests']>[string] {
  const { mean, max } = summariseHistogram(decodeHistogram(service));
  return { count, failed, mean, max };
}

export function sampleDocument(
  sample: Sample,
  { run, experiment, trial, cell }: TrialDocument,
): SampleDocument {
  const { task, at, phase, counts, service, latency, clients, offered, backlog, failures } = sample;
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
    requests: Object.fromEntries(
      Object.entries(sample.requests).map(([name, request]) => [name, requestFigures(request)]),
    ),
    generator: sample.generator,
  };
}
