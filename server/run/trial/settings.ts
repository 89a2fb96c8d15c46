/** Settings of the target that a trial changes, and that are put back whatever happens to the run. */
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
  /** What an earlier trial of the run changed and could not put back; undefined for nothing. */
  left(): Replaced | undefined;
  /** Keeps what the settings were for as long as they are changed; null once they are put back. */
  keepReplaced(replaced: Replaced | null): Promise<void>;
  onNote(message: string): void;
  /** Ends the waiting between two tries. */
  signal: AbortSignal;
}

export interface Changed {
  connection: TargetConnection;
  clusterUuid: string;
}

/**
 * Does `work` while the cluster has `settings`. What they were is stored before anything is changed, and taken out again
 * once it is put back; where that fails the next trial does it first, or the next start of whoever finds the run. Rejects with a
 * DynoError where they cannot be set, or where those of an earlier trial cannot be put back.
 */
export async function withClusterSettings<T>(
  changed: Changed,
  settings: Readonly<Record<string, unknown>>,
  keeper: SettingsKeeper,
  work: () => Promise<T>,
): Promise<T> {
  const { connection, clusterUuid } = changed;
  // What stands there now would else be measured, and kept as what they were.
  await putBackLeft(changed, keeper);
  if (Object.keys(settings).length === 0) return await work();
  const other = keeper.left();
  if (other !== undefined) throw leftElsewhere(other);
  const before = await readClusterSettings(connection, settings);
  await keeper.keepReplaced({ cluster: clusterUuid, settings: before });
  let isChanged = true;
  try {
    await setClusterSettings(connection, settings).catch((error: unknown) => {
      isChanged = !isIllegalSetting(error);
      throw error;
    });
    return await work();
  } finally {
    try {
      if (isChanged) for (const note of await restoreSettings(connection, before)) keeper.onNote(note);
      await keeper.keepReplaced(null);
    } catch (error) {
      keeper.onNote(`settings of the cluster could not be put back yet: ${messageOf(error)}`);
    }
  }
}

const FIRST_WAIT_MS = 500;
/** Between the last two tries: some eight seconds in all. */
const LONGEST_WAIT_MS = 4000;

/** Puts back what an earlier trial changed in this cluster and could not put back. Rejects as the last of its tries. */
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
  onNote('settings of the cluster that could not be put back before are put back');
}

const leftElsewhere = ({ cluster, settings }: Replaced): DynoError =>
  runError(
    'target.settings-left',
    'cluster.settings',
    `the run changed ${Object.keys(settings).join(', ')} of another cluster (${cluster}) and could not put that back: ` +
      'start Dyno with that cluster as its target, which puts it back, and resume the run then',
  );

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
