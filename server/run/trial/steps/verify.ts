/**
 * The steps after the load. They execute the definition's recipe (such as a refresh or force merge whose time is measured), and read the
 * state of the indices. Then they count the documents and compare the number with the documents that the target acknowledged.
 */
import { BAD_ANSWER } from '../../../target-cluster/answer';
import { TOO_LARGE } from '../../../../common/elasticsearch/ceiling';
import {
  acknowledgedDocuments,
  documentsOfOthers,
  indexCount,
  indexMismatch,
  type IndexCount,
} from '../../../../common/analysis/index-count';
import type { RecipeTimes } from '../../../../common/measurement/recipe';
import { codeOf, messageOf, runError } from '../../../../common/problem';
import { changingTasks } from '../../../../common/tasks/registry';
import type { TargetConnection } from '../../../target-cluster/connection';
import { unmarkedIndices } from '../../../target-cluster/index-lifecycle';
import { forceMerge, refresh } from '../../../target-cluster/maintenance';
import { countDocuments, indexState } from '../../../target-cluster/snapshot';
import { diskUsage, indexModes } from '../../../target-cluster/store';
import type { Needs } from '../input';
import { carryOutRecipe } from '../recipe';
import type { Measured } from './measure';

/**
 * Returns whether a check failed only because the response was not a usable response of Elasticsearch: it came from a proxy, or it was too
 * large. The trial is then valid without this check.
 */
const isSkipped = (error: unknown): boolean => [BAD_ANSWER, TOO_LARGE].includes(codeOf(error));

/** Marks a trial as unverified, with the reason, and reports it. */
function unverified({ listener, document }: Needs<'listener' | 'document'>, why: string): void {
  document.trial.unverified = why;
  listener.onNote(`the trial is unverified: ${why}`);
}

/**
 * Returns a sentence that says which indices somebody deleted and Elasticsearch created again. Elasticsearch creates a missing index for
 * the next bulk request that names it, but without Dyno's settings, mapping and mark.
 */
const replacedSentence = (names: readonly string[]): string =>
  `somebody deleted ${names.join(', ')} while the trial wrote to it, and Elasticsearch created it again, with other ` +
  'settings and another mapping. The new index lacks the mark of Dyno, so Dyno does not remove it';

/**
 * Checks that the indices of the trial are still those that Dyno created. Rejects if somebody deleted one of them and a bulk request
 * created another index with its name.
 */
export async function checkOwnIndices(trial: Needs<'target' | 'listener' | 'document'>): Promise<void> {
  const { connection, indices } = trial.target;
  if (indices.existing !== undefined) return;
  let replaced: string[];
  try {
    replaced = await unmarkedIndices(connection, indices.names);
  } catch (error) {
    if (!isSkipped(error)) throw error;
    unverified(trial, `it is unknown whether the index belongs to the trial: ${messageOf(error)}`);
    return;
  }
  if (replaced.length > 0) throw runError('trial.index-replaced', '', replacedSentence(replaced));
}

/**
 * Executes the recipe of the definition, if it has one: steps after the load, such as a refresh or a force merge, whose durations are
 * measured.
 */
export const followRecipe = (
  {
    target: { connection, indices },
    definition,
    signal,
    listener,
    document,
  }: Needs<'target' | 'definition' | 'signal' | 'listener' | 'document'>,
  { outcome }: Measured,
): Promise<RecipeTimes | undefined> =>
  carryOutRecipe({
    ...listener,
    connection,
    definition,
    names: indices.names,
    documents: acknowledgedDocuments(document),
    loadMs: outcome.measureEndedAt - outcome.startedAt,
    signal,
  });

/**
 * Writes the state of the indices to the document. Returns the number of documents in the indices. If it cannot be determined, stores the
 * reason in the document and returns null.
 */
export async function verify(
  trial: Needs<'definition' | 'signal' | 'listener' | 'document'> & {
    target: Pick<Needs<'target'>['target'], 'connection' | 'indices'>;
  },
  recipe?: RecipeTimes,
): Promise<number | null> {
  const { definition, signal, document } = trial;
  const { connection, indices } = trial.target;
  const { names, existing } = indices;
  const { onNote } = trial.listener;
  const { 'force-merge': merged, 'disk-usage': asksForFields } = definition.measure;
  let docs: number;
  try {
    docs = await countDocuments(connection, names, { refreshed: existing?.isWritten !== false });
  } catch (error) {
    if (!isSkipped(error)) throw error;
    unverified(trial, `the index was not counted: ${messageOf(error)}`);
    return null;
  }
  if (merged !== undefined) {
    await forceMerge(connection, names, merged, signal);
    // Refreshes after the merge. Until then, searches and statistics still use the old segments.
    await refresh(connection, names.join());
  }
  try {
    document.index = {
      ...(await indexState(connection, names, docs)),
      ...(merged === undefined ? {} : { merged }),
      ...(recipe === undefined ? {} : { recipe }),
    };
  } catch (error) {
    if (!isSkipped(error)) throw error;
    onNote(`no statistics of the index: ${messageOf(error)}`);
    return docs;
  }
  try {
    document.index.modes = await indexModes(connection, names);
    if (asksForFields) document.index.fields = await bytesByField(connection, names, onNote);
  } catch (error) {
    if (!isSkipped(error)) throw error;
    onNote(`not all statistics of the index: ${messageOf(error)}`);
  }
  return docs;
}

async function bytesByField(
  connection: TargetConnection,
  names: readonly string[],
  onNote: (message: string) => void,
): Promise<Record<string, number> | undefined> {
  const fields = await diskUsage(connection, names);
  if (fields === undefined)
    onNote(
      'the bytes by field are unknown: the target does not offer _disk_usage, or the credentials may not use it',
    );
  return fields;
}

/**
 * Compares the number of documents in the indices (`documents`; null if unknown) with the number that the target acknowledged. Rejects with
 * `trial.miscount` if they differ.
 *
 * The numbers are not compared if requests of a task may have added or removed documents, or if other clients wrote to existing data.
 */
export async function compareCounts(
  trial: Needs<'target' | 'definition' | 'listener' | 'document'>,
  documents: number | null,
): Promise<void> {
  const { definition, document } = trial;
  const changing = changingTasks(definition.tasks);
  if (changing.length > 0) {
    document.trial.unverified ??= `requests of ${changing.join(', ')} may have changed documents, so the index cannot be compared with the acknowledged documents`;
  }
  const count = documents === null || changing.length > 0 ? null : indexCount(document, documents);
  const ofOthers = await lookAgain(trial, count);
  const miscount = count === null || ofOthers ? '' : indexMismatch(count);
  if (miscount !== '') throw runError('trial.miscount', '', miscount);
}

/**
 * For existing data: adds notes about changes that other clients have made during the run. Returns whether the data contains documents that
 * this trial has not written, although the trial writes to it.
 */
async function lookAgain(
  { target, listener, document: { existing: found } }: Needs<'target' | 'listener' | 'document'>,
  count: IndexCount | null,
): Promise<boolean> {
  const { existing } = target.indices;
  if (existing === undefined || found === undefined) return false;
  const ofOthers = count === null || !existing.isWritten ? 0 : documentsOfOthers(count);
  let changed: string;
  try {
    changed = await existing.changes(ofOthers);
  } catch (error) {
    if (!isSkipped(error)) throw error;
    listener.onNote(`it is unknown whether others changed ${found.name}: ${messageOf(error)}`);
    return ofOthers > 0;
  }
  if (changed !== '') {
    found.changed = changed;
    listener.onNote(`others changed ${found.name} during the run: ${changed}`);
  }
  return ofOthers > 0;
}
