/**
 * Starts dynobeat beside an embedded cluster, and ends it. It runs as the user who runs Dyno, whatever user
 * Elasticsearch has: its configuration and credentials are nobody else's, and Beats refuse a configuration that
 * another user owns.
 */
import { chmod, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { writeWhole } from '../../whole-file';
import { startServer } from '../processes/supervisor';
import {
  collectorConfiguration,
  collectorEnvironment,
  type CollectorPlan,
  configurationFileOf,
  dataOf,
  LOG_PERIOD_S,
  logsOf,
  SHUTDOWN_S,
} from './configuration';

export interface Collector {
  /** Ends it in order; resolves when it is gone. */
  stop(): Promise<void>;
}

export interface StartOptions extends CollectorPlan {
  /** dynobeat. */
  binary: string;
  /** Told why, as a sentence, if it ends before it is stopped; once. */
  onEnd: (message: string) => void;
  /** {@link SILENT_MS}; less for tests. */
  silentMs?: number;
}

/** A collector that has logged nothing for so long hangs, ms: four of its periods. */
const SILENT_MS = 4 * LOG_PERIOD_S * 1000;

/** What it gets to end before it is killed, s. It takes some tenths of a second. */
const GRACE_S = SHUTDOWN_S + 3;

/** Of the collector beside an embedded cluster with this data folder: two clusters of one user have two collectors. */
export const collectorFolderIn = (dataFolder: string): string => path.join(dataFolder, 'collector');

/**
 * The `agent.id` of its events: Beats draw it once and keep it in their data folder (libbeat/cmd/instance/beat.go, `loadMeta`).
 * Undefined before its first start.
 */
export async function readCollectorId(dataFolder: string): Promise<string | undefined> {
  try {
    const file = path.join(dataOf(collectorFolderIn(dataFolder)), 'meta.json');
    const { uuid } = JSON.parse(await readFile(file, 'utf8')) as { uuid?: unknown };
    return typeof uuid === 'string' ? uuid : undefined;
  } catch {
    return undefined;
  }
}

const consoleLogOf = (folder: string): string => path.join(logsOf(folder), 'console.log');

async function prepareFolder(plan: CollectorPlan): Promise<void> {
  const { folder } = plan;
  await mkdir(logsOf(folder), { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const file = configurationFileOf(folder);
  // A file that is there already would keep its mode.
  await rm(file, { force: true });
  await writeWhole(file, `${JSON.stringify(collectorConfiguration(plan), null, 2)}\n`, { mode: 0o600 });
}

/** What dynobeat said last on its console, where it says why it cannot run. */
async function lastWords(folder: string): Promise<string> {
  const log = await readFile(consoleLogOf(folder), 'utf8').catch(() => '');
  const lines = log.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('dyno: '));
  return (lines.findLast((line) => line.startsWith('Exiting: ')) ?? lines.at(-1) ?? '').slice(0, 400);
}

/** Bytes of its log, or what else changes with every line. */
async function stateOfLog(folder: string): Promise<string> {
  const names = await readdir(logsOf(folder)).catch(() => []);
  const files = await Promise.all(
    names.map((name) => stat(path.join(logsOf(folder), name)).catch(() => undefined)),
  );
  return names.map((name, i) => `${name} ${files[i]?.size}`).join();
}

/** Looks four times within `silentMs`, by turns and not by the clock: a machine that slept blames nobody. */
function whenSilent(folder: string, silentMs: number, onSilent: () => void): () => void {
  let known = '';
  let turns = 0;
  const timer = setInterval(() => {
    void stateOfLog(folder).then((state) => {
      turns = state === known ? turns + 1 : 0;
      known = state;
      if (turns < 4) return;
      clearInterval(timer);
      onSilent();
    });
  }, silentMs / 4);
  timer.unref();
  return () => clearInterval(timer);
}

/** Resolves once its process is there. Rejects with a DynoError `process.not-started`, or as the file system does. */
export async function startCollector({
  binary,
  onEnd,
  silentMs = SILENT_MS,
  ...plan
}: StartOptions): Promise<Collector> {
  const { folder } = plan;
  await prepareFolder(plan);
  const server = await startServer({
    command: [binary, '-c', configurationFileOf(folder)],
    cwd: folder,
    env: collectorEnvironment(plan.results),
    logFile: consoleLogOf(folder),
    identity: undefined,
    graceS: GRACE_S,
  });
  let stopping = false;
  let hung = false;
  const unwatch = whenSilent(folder, silentMs, () => {
    hung = true;
    void server.kill();
  });
  void server.exit.then(async () => {
    unwatch();
    if (stopping) return;
    if (hung)
      return onEnd(
        `the collector had logged nothing for ${silentMs / 1000} s and was ended: it hung; its log is in ${logsOf(folder)}`,
      );
    const reason = await lastWords(folder);
    onEnd(`the collector ended by itself${reason && `: ${reason}`}; its log is in ${logsOf(folder)}`);
  });
  return {
    stop: () => {
      stopping = true;
      unwatch();
      return server.stop();
    },
  };
}
