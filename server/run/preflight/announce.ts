/** The sentences that a run begins with. */
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import { environmentWarnings } from '../../../common/analysis/environments';
import { listed, plural } from '../../../common/analysis/wording';
import { durationMs } from '../../../common/experiment/definition';
import { environmentLabel } from '../../../common/experiment/environment';
import { blocksOf } from '../../../common/experiment/environment-blocks';
import { formatDuration } from '../../../common/units/format';
import type { Preflight } from './preflight';
import type { RunRecord } from '../record/record';
import { blockNumber } from '../../../common/measurement/stored-names';

const STARTED_HERE =
  'the cluster under test was started for this, beside the embedded Elasticsearch: both share one machine';

/** What the reader should hear before the load begins. */
export function announce(record: RunRecord, { notes, place, unlike }: Preflight): void {
  const { cluster, sharedMachine, resultsInTarget } = place;
  const { plan } = record;
  const { definition, run } = record.document;
  record.note(`run ${run.id}: ${definition.name}`);
  record.note(
    `target: Elasticsearch ${cluster.version} at ${cluster.url} (${plural(place.nodes.length, 'node')})`,
  );
  record.note(
    `plan: ${plural(plan.cells.length, 'cell')} x ${plural(definition.trials, 'trial')}, about ${formatDuration(plan.estimate.ms)}`,
  );
  for (const sentence of environmentSentences(record)) record.note(sentence);
  for (const doubt of environmentWarnings(record.document.provenance)) record.note(doubt, 'warning');
  for (const note of notes) record.note(note, 'warning');
  if (unlike !== '') record.note(`the cluster is not as it was requested: ${unlike}`, 'warning');
  if (place.started) record.note(STARTED_HERE);
  if (sharedMachine) record.note('the load is generated on the machine of the target: both share its cores');
  if (resultsInTarget) record.note('results are stored in the cluster under test');
  const longest = Math.max(...plan.cells.map((cell) => longestInterval(cell.definition)));
  if (longest > 0)
    record.note(
      `a refresh interval of ${formatDuration(longest)} is longer than what is measured: it never refreshes`,
      'warning',
    );
}

/** What the run takes its environment for, and what it will ask for. */
function environmentSentences(record: RunRecord): string[] {
  const { plan } = record;
  const { progress } = record.document;
  const labels = blocksOf(plan).map(({ environment }) => environmentLabel(environment));
  const at = blockNumber(progress);
  const label = labels[at]!;
  if (labels.length === 1) return label === '' ? [] : [`environment: ${label}`];
  const next = labels.slice(at + 1);
  return [
    `environment ${at + 1} of ${labels.length}: ${label || 'without labels'}` +
      (next.length === 0
        ? ''
        : `; afterwards the run ${record.goesOn ? 'goes on with' : 'waits for'} ${listed(next, 4)}`),
  ];
}

/** The refresh interval of a cell that stores documents in a measured phase which is shorter, ms; else 0. */
function longestInterval({ tasks, index: { refreshMs }, measure }: CellDefinition): number {
  if (tasks.every(({ ingest }) => ingest === undefined)) return 0;
  if (refreshMs === null || measure.duration === undefined) return 0;
  return refreshMs > durationMs(measure.duration) + durationMs(measure.warmup) ? refreshMs : 0;
}
