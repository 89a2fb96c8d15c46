/**
 * Controls one trial, step by step. Each step declares which parts of the trial's input it needs. If a step creates or starts something, it
 * first registers how to remove or stop it.
 */
import type { TrialDocument } from '../../../common/measurement/trial';
import { newTrial } from './document';
import type { Trial, TrialInput } from './input';
import { judgeEnd, noteFailure, type Verdict } from './steps/end';
import { profileDocument } from './profile';
import { measure } from './steps/measure';
import {
  begin,
  fillCaches,
  findNeighbours,
  lookAtExisting,
  prepareIndices,
  readWhatRequestsNeed,
  removeAtEnd,
  type Remaining,
} from './steps/prepare';
import { noteRemarks, summarise, throwIfStopped } from './steps/summarise';
import { checkOwnIndices, compareCounts, followRecipe, verify } from './steps/verify';
import { withUndo } from './undo';

async function course(trial: Trial): Promise<void> {
  await begin(trial);
  await trial.target.pipelines.prepare();
  await prepareIndices(trial);
  await lookAtExisting(trial);
  const definition = await readWhatRequestsNeed(trial);
  const recalls = await findNeighbours(trial, definition);
  await fillCaches(trial, definition);

  const measured = await measure(trial, definition, recalls);
  await summarise(trial, measured);
  throwIfStopped(trial, measured);
  noteRemarks(trial, measured);

  await checkOwnIndices(trial);
  const recipe = await followRecipe(trial, measured);
  const documents = await verify(trial, recipe);
  await compareCounts(trial, documents);
  for (const stacks of measured.stacks)
    trial.listener.onProfile(await profileDocument(trial.document, stacks));
}

interface Executed extends Verdict, Remaining {
  trial: TrialDocument;
}

/**
 * Carries out a trial, and always removes its indices and pipelines. The promise resolves even if the trial does not complete. The trial is
 * then `failed` if the target or a source failed, or if a check stopped the load (disk space, `stop-when`). It is `cancelled` if the signal
 * was aborted.
 *
 * If an outage ended the trial and the target is healthy again, the trial's document contains the `outage`.
 */
export async function executeTrial(input: TrialInput): Promise<Executed> {
  const trial: Trial = { ...input, document: newTrial(input) };
  const { document } = trial;
  let failure: unknown = null;
  const remaining = await withUndo(async (undo) => {
    const names = removeAtEnd(trial, undo);
    try {
      await course(trial);
      document.trial.state = 'completed';
    } catch (error) {
      failure = error;
      noteFailure(trial, error);
    }
    return names;
  });
  return { trial: document, ...(await judgeEnd(trial, failure)), ...remaining };
}
