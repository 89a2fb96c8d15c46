/** Cluster settings of the target that a trial changes. They are restored, no matter how the run ends. */
import type { RunDocument } from '../../../common/experiment/run';
import { DynoError, messageOf, runError } from '../../../common/problem';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ILLEGAL_SETTING,
  readClusterSettings,
  setClusterSettings,
  type ClusterSettings,
} from '../../target-cluster/cluster-settings';
import type { TargetConnection } from '../../target-cluster/connection';

type Replaced = NonNullable<RunDocument['run']['replaced']>;

export interface SettingsKeeper {
  /** Returns the settings that an earlier trial of the run changed and could not restore. Undefined for no such settings. */
  left(): Replaced | undefined;
  /** Stores the original settings before they are changed. Called with null once they are restored. */
  keepReplaced(replaced: Replaced | null): Promise<void>;
  onNote(message: string): void;
  /** Signal that ends the wait between two attempts. */
  signal: AbortSignal;
}

export interface Changed {
  connection: TargetConnection;
  clusterUuid: string;
}

/**
 * Does `work` while the cluster has these settings, and then restores the original values. The original values are stored in the run's
 * document before anything is changed.
 *
 * If restoring them fails, the next trial tries again before it begins. If there is no next trial, the next process that uses the cluster
 * tries again. Rejects with a DynoError if the settings cannot be set, or if the settings of an earlier trial cannot be restored.
 */
export async function withClusterSettings<T>(
  changed: Changed,
  settings: Readonly<Record<string, unknown>>,
  keeper: SettingsKeeper,
  work: () => Promise<T>,
): Promise<T> {
  const { connection, clusterUuid } = changed;
  // First restores what an earlier trial could not restore. Otherwise its settings would be in effect during this measurement, and would
  // then be stored as the original ones.
  await putBackLeft(changed, keeper);
  if (Object.keys(settings).length === 0) return await work();
  const other = keeper.left();
  if (other !== undefined) throw leftElsewhere(other);
  const before = await readClusterSettings(connection, settings);
  await keeper.keepReplaced({ cluster: clusterUuid, settings: before });
  let isChanged = true;
  try {
    await setClusterSettings(connection, settings).catch((error: unknown) => {
      isChanged = !isIllegalSetting(error) && !isForbidden(error);
      throw error;
    });
    return await work();
  } finally {
    try {
      if (isChanged) for (const note of await restoreSettings(connection, before)) keeper.onNote(note);
      await keeper.keepReplaced(null);
    } catch (error) {
      keeper.onNote(`settings of the cluster could not be restored yet: ${messageOf(error)}`);
    }
  }
}

const FIRST_WAIT_MS = 500;
/** Maximum wait between two attempts, in ms. All waits together take about eight seconds. */
const LONGEST_WAIT_MS = 4000;

/** Restores the settings that an earlier trial could not restore in this cluster. Rejects with the error of the last attempt. */
export async function putBackLeft(
  { connection, clusterUuid }: Changed,
  { left, keepReplaced, onNote, signal }: SettingsKeeper,
): Promise<void> {
  const replaced = left();
  if (replaced?.cluster !== clusterUuid) return;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs *= 2) {
    try {
      for (const note of await restoreSettings(connection, replaced.settings)) onNote(note);
      break;
    } catch (error) {
      if (waitMs > LONGEST_WAIT_MS || signal.aborted) throw error;
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }
  await keepReplaced(null);
  onNote('settings of the cluster that could not be restored before are now restored');
}

const leftElsewhere = ({ cluster, settings }: Replaced): DynoError =>
  runError(
    'target.settings-left',
    'cluster.settings',
    `the run changed ${Object.keys(settings).join(', ')} of another cluster (${cluster}) and could not restore that: ` +
      'start Dyno with that cluster as its target, which restores the settings, and then resume the run',
  );

/**
 * Restores settings. If the cluster refuses a setting, for example because it does not know it, the other settings are still restored.
 * Returns a sentence for each refused setting.
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
      // Elasticsearch either accepts all settings of a request, or refuses the whole request.
      if (names.length > 1) for (const name of names) await set({ [name]: some[name] });
      else refused.push(`the cluster refuses the original value of ${names.join()}: ${messageOf(error)}`);
    }
  };
  await set(settings);
  return refused;
}

const hasCode = (error: unknown, wanted: string): boolean =>
  error instanceof DynoError && error.problems.some(({ code }) => code === wanted);

const isIllegalSetting = (error: unknown): boolean => hasCode(error, ILLEGAL_SETTING);

const isForbidden = (error: unknown): boolean => hasCode(error, 'target.forbidden');
