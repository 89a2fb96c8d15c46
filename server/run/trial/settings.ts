/** Settings of the target that a trial changes, and that are put back whatever happens to the run. */
import { RESTING_STATES, type RunDocument } from '../../../common/experiment/run';
import { DynoError, messageOf } from '../../../common/problem';
import type { ResultsReader } from '../../results/reader';
import type { ResultsWriter } from '../../results/writer';
import {
  ILLEGAL_SETTING,
  readClusterSettings,
  setClusterSettings,
  type ClusterSettings,
} from '../../target-cluster/cluster-settings';
import { discoverCluster } from '../../target-cluster/cluster';
import type { Connection } from '../../target-cluster/connection';

export interface SettingsKeeper {
  /** Its document keeps what the settings were for as long as they are changed. */
  run: RunDocument['run'];
  save(): Promise<void>;
  onNote(message: string): void;
}

/**
 * Does `work` while the cluster has `settings`. What they were is stored before anything is changed, and taken out again
 * once it is put back; where that fails the next start of whoever finds the run does it.
 */
export async function withClusterSettings<T>(
  { connection, clusterUuid }: { connection: Connection; clusterUuid: string },
  settings: Readonly<Record<string, unknown>>,
  { run, save, onNote }: SettingsKeeper,
  work: () => Promise<T>,
): Promise<T> {
  if (Object.keys(settings).length === 0) return await work();
  const before = await readClusterSettings(connection, settings);
  run.replaced = { cluster: clusterUuid, settings: before };
  await save();
  let changed = true;
  try {
    await setClusterSettings(connection, settings).catch((error: unknown) => {
      changed = !isIllegalSetting(error);
      throw error;
    });
    return await work();
  } finally {
    try {
      if (changed) for (const note of await restore(connection, before)) onNote(note);
      delete run.replaced;
      await save();
    } catch (error) {
      onNote(`settings of the cluster could not be put back yet: ${messageOf(error)}`);
    }
  }
}

/**
 * Puts back what runs that have ended, and the run `own`, left changed on a target. Returns sentences for the user, one
 * of them for a run whose settings cannot be put back now; rejects with a DynoError when the target or the results
 * cannot be asked what there is.
 */
export async function putBackSettings(
  connection: Connection,
  reader: Pick<ResultsReader, 'findRunsWithReplaced'>,
  writer: Pick<ResultsWriter, 'saveRun'>,
  own = '',
): Promise<string[]> {
  const notes: string[] = [];
  for (const document of await reader.findRunsWithReplaced((await discoverCluster(connection)).uuid)) {
    const { replaced, ...run } = document.run;
    if (!replaced || (!RESTING_STATES.includes(run.state) && run.id !== own)) continue;
    const names = Object.keys(replaced.settings).join(', ');
    try {
      const refused = await restore(connection, replaced.settings);
      if (run.id !== own) await writer.saveRun({ ...document, run });
      notes.push(`put back ${names}, which run ${run.id} had changed in the cluster`, ...refused);
    } catch (error) {
      notes.push(`could not put back ${names}, which run ${run.id} had changed: ${messageOf(error)}`);
    }
  }
  return notes;
}

/**
 * Sets settings to what they were. One that the cluster refuses, as it does one that it does not know, cannot have been
 * changed there and holds back no other; the sentences returned name those.
 */
async function restore(connection: Connection, settings: ClusterSettings): Promise<string[]> {
  const refused: string[] = [];
  const set = async (some: ClusterSettings): Promise<void> => {
    try {
      await setClusterSettings(connection, some);
    } catch (error) {
      if (!isIllegalSetting(error)) throw error;
      const names = Object.keys(some);
      // Elasticsearch takes all of a request or nothing.
      if (names.length > 1) for (const name of names) await set({ [name]: some[name] });
      else refused.push(`the cluster refuses ${names.join()} as it was: ${messageOf(error)}`);
    }
  };
  await set(settings);
  return refused;
}

const isIllegalSetting = (error: unknown): boolean =>
  error instanceof DynoError && error.problems.some(({ code }) => code === ILLEGAL_SETTING);
