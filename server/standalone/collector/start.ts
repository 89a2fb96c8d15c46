/**
 * Starts and stops dynobeat next to an embedded cluster. dynobeat always runs as the same user as Dyno, even if Elasticsearch runs as
 * another user. This keeps its configuration and credentials private. Beats also reject a configuration file that belongs to another user.
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
  /** Shuts the collector down. Resolves when its process has ended. */
  stop(): Promise<void>;
}

export interface StartOptions extends CollectorPlan {
  /** Path of dynobeat. */
  binary: string;
  /** Called once if the collector ends before {@link Collector.stop}, with the reason as a sentence. */
  onEnd: (message: string) => void;
  /** Time without a log line after which the collector counts as hung, in ms. Default: {@link SILENT_MS}. */
  silentMs?: number;
}

/** Time without a log line after which a collector counts as hung, in ms: four of its logging intervals. */
const SILENT_MS = 4 * LOG_PERIOD_S * 1000;

/** Time in s after which a collector that is shutting down is killed. A shutdown usually takes a few tenths of a second. */
const GRACE_S = SHUTDOWN_S + 3;

/**
 * Returns the folder of the collector, which is inside the data folder of its cluster. Several clusters on one machine therefore have
 * separate collectors.
 */
export const collectorFolderIn = (dataFolder: string): string => path.join(dataFolder, 'collector');

/**
 * Returns the `agent.id` in the events of the collector. Beats generate this id once and store it in their data folder
 * (libbeat/cmd/instance/beat.go, `loadMeta`). Undefined before the first start.
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
  // The file is removed first, because a file that is overwritten keeps its mode.
  await rm(file, { force: true });
  await writeWhole(file, `${JSON.stringify(collectorConfiguration(plan), null, 2)}\n`, { mode: 0o600 });
}

/** Returns the last message that dynobeat printed. If dynobeat cannot run, this message contains the reason. */
async function lastWords(folder: string): Promise<string> {
  const log = await readFile(consoleLogOf(folder), 'utf8').catch(() => '');
  const lines = log.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('dyno: '));
  return (lines.findLast((line) => line.startsWith('Exiting: ')) ?? lines.at(-1) ?? '').slice(0, 400);
}

/** Returns a text that changes with every new line of the log. It consists of the names and sizes of the log files. */
async function stateOfLog(folder: string): Promise<string> {
  const names = await readdir(logsOf(folder)).catch(() => []);
  const files = await Promise.all(
    names.map((name) => stat(path.join(logsOf(folder), name)).catch(() => undefined)),
  );
  return names.map((name, i) => `${name} ${files[i]?.size}`).join();
}

/**
 * Calls `onSilent` if the log does not change for `silentMs`. Four checks in this time must find no change. The time during which the
 * machine was suspended therefore does not count. Returns a function that ends the checks.
 */
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

/** Starts dynobeat. Resolves when the process is running. Rejects with a DynoError `process.not-started` or an error of the file system. */
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
        `the collector hung (no log line for ${silentMs / 1000} s) and was stopped; its log is in ${logsOf(folder)}`,
      );
    const reason = await lastWords(folder);
    onEnd(`the collector ended unexpectedly${reason && `: ${reason}`}; its log is in ${logsOf(folder)}`);
  });
  return {
    stop: () => {
      stopping = true;
      unwatch();
      return server.stop();
    },
  };
}
