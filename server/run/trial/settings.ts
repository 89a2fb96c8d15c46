/** Settings of the target that a trial changes, and that are put back whatever happens to the run. */
import type { RunDocument } from '../../../common/experiment/run';
import { DynoError, messageOf } from '../../../common/problem';
import {
  ILLEGAL_SETTING,
  readClusterSettings,
  setClusterSettings,
  type ClusterSettings,
} from '../../target-cluster/cluster-settings';
import type { TargetConnection } from '../../target-cluster/connection';

export interface SettingsKeeper {
  /** Keeps what the settings were for as long as they are changed; null once they are put back. */
  keepReplaced(replaced: NonNullable<RunDocument['run']['replaced']> | null): Promise<void>;
  onNote(message: string): void;
}

/**
 * Does `work` while the cluster has `settings`. What they were is stored before anything is changed, and taken out again
 * once it is put back; where that fails the next start of whoever finds the run does it.
 */
export async function withClusterSettings<T>(
  { connection, clusterUuid }: { connection: TargetConnection; clusterUuid: string },
  settings: Readonly<Record<string, unknown>>,
  { keepReplaced, onNote }: SettingsKeeper,
  work: () => Promise<T>,
): Promise<T> {
  if (Object.keys(settings).length === 0) return await work();
  const before = await readClusterSettings(connection, settings);
  await keepReplaced({ cluster: clusterUuid, settings: before });
  let changed = true;
  try {
    await setClusterSettings(connection, settings).catch((error: unknown) => {
      changed = !isIllegalSetting(error);
      throw error;
    });
    return await work();
  } finally {
    try {
      if (changed) for (const note of await restoreSettings(connection, before)) onNote(note);
      await keepReplaced(null);
    } catch (error) {
      onNote(`settings of the cluster could not be put back yet: ${messageOf(error)}`);
    }
  }
}

/**
 * Sets settings to what they were. One that the cluster refuses, as it does one that it does not know, cannot have been
 * changed there and holds back no other; the sentences returned name those.
 */
export async function restoreSettings(
  connection: TargetConnection,
  settings: ClusterSettings,
): Promise<string[]> {
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
