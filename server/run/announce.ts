/** The sentences that a run begins with. */
import { plural } from '../../common/analysis/wording';
import { definitionFor } from '../../common/experiment/cells';
import { durationMs, warmupMs, type Definition } from '../../common/experiment/definition';
import { formatDuration } from '../../common/units/format';
import type { Preflight } from './preflight';
import type { RunRecord } from './run-record';

/** What the reader should hear before the load begins. */
export function announce(record: RunRecord, { notes, provenance }: Preflight): void {
  const { cluster, sharedMachine, resultsInTarget } = provenance;
  const { plan, definition, run } = record.document;
  record.note(`run ${run.id}: ${definition.name}`);
  record.note(
    `target: Elasticsearch ${cluster.version} at ${cluster.url} (${plural(provenance.nodes.length, 'node')})`,
  );
  record.note(
    `plan: ${plural(plan.cells.length, 'cell')} x ${plural(definition.trials, 'trial')}, about ${formatDuration(plan.estimate.ms)}`,
  );
  for (const note of notes) record.note(note, 'warning');
  if (sharedMachine) record.note('the load is generated on the machine of the target: both share its cores');
  if (resultsInTarget) record.note('results are stored in the cluster under test');
  const longest = Math.max(...plan.cells.map((cell) => longestInterval(definitionFor(definition, cell))));
  if (longest > 0)
    record.note(
      `a refresh interval of ${formatDuration(longest)} is longer than what is measured: it never refreshes`,
      'warning',
    );
}

/** The refresh interval of a cell where the measured phase is shorter, ms; else 0. */
function longestInterval(definition: Definition): number {
  const interval =
    definition.index.settings['refresh_interval'] ?? definition.index.settings['index.refresh_interval'];
  const { duration } = definition.measure;
  if (typeof interval !== 'string' || !/^\d+(ms|s|m|h)$/.test(interval) || duration === undefined) return 0;
  return durationMs(interval) > durationMs(duration) + warmupMs(definition) ? durationMs(interval) : 0;
}
