/** Creates the documents with the stacks of a trial. */
import type { ProfileDocument } from '../../../common/measurement/profile-document';
import type { TrialDocument } from '../../../common/measurement/trial';
import type { CollectedStacks } from '../../../common/profile/phase-profile';
import { packStacks } from '../../results/profiles';

/** Stacks of the measured phase for one event. */
export interface MeasuredStacks extends CollectedStacks, Pick<ProfileDocument, 'source' | 'event' | 'unit'> {}

/** Returns the document of these stacks. `trial`: a trial that reached the measured phase. */
export async function profileDocument(
  { run, experiment, trial, cell, times }: TrialDocument,
  measured: MeasuredStacks,
): Promise<ProfileDocument> {
  const { source, event, unit } = measured;
  return {
    '@timestamp': times.measure ?? times.started,
    run: { id: run.id },
    experiment,
    trial: { id: trial.id, repetition: trial.repetition, order: trial.order },
    cell: { id: cell.id, label: cell.label, index: cell.index },
    source,
    event,
    unit,
    ...(await packStacks(measured)),
  };
}
