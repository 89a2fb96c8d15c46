/** Settings of the target that a trial changes, and that are put back whatever happens to the run. */
import { FINAL_STATES, type RunDocument } from '../../common/measurement/run';
import { messageOf } from '../../common/problem';
import type { ResultsReader } from '../results/reader';
import type { ResultsWriter } from '../results/writer';
import { readClusterSettings, setClusterSettings } from '../target/cluster-settings';
import { discoverCluster } from '../target/cluster';
import type { Connection } from '../target/connection';

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
  run.replaced = { cluster: clusterUuid, settings: await readClusterSettings(connection, settings) };
  await save();
  try {
    await setClusterSettings(connection, settings);
    return await work();
  } finally {
    try {
      await setClusterSettings(connection, run.replaced.settings);
      delete run.replaced;
      await save();
    } catch (error) {
      onNote(`settings of the cluster could not be put back yet: ${messageOf(error)}`);
    }
  }
}

/**
 * Puts back what runs that have ended, and the run `own`, left changed on a target. Returns sentences for the user;
 * rejects with a DynoError when the target or the results cannot be asked.
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
    if (!replaced || (!FINAL_STATES.includes(run.state) && run.id !== own)) continue;
    await setClusterSettings(connection, replaced.settings);
    if (run.id !== own) await writer.saveRun({ ...document, run });
    const names = Object.keys(replaced.settings).join(', ');
    notes.push(`put back ${names}, which run ${run.id} had changed in the cluster`);
  }
  return notes;
}
