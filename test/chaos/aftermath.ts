/** Checks how a run ended, and what it left behind in its results, in its target, on this machine and in the command's output. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { RunDocument } from '../../common/experiment/run';
import { endedOf } from '../../common/measurement/counts';
import type { SampleDocument, TrialDocument } from '../../common/measurement/trial';
import { ask } from './ask';
import type { Clusters } from './clusters';
import { processesOf, type Ended } from './command';

/** Matches messages about work that a run could not complete. The next start of Dyno completes this work. */
export const LEFT_FOR_NEXT =
  /wait in the spool|wait on disk|could not be removed|could not be put back|could not be restored/;

export async function documents<T>(url: string, kind: string, run: string): Promise<T[]> {
  await ask(`${url}/dyno-${kind}-*/_refresh`, 'POST');
  const { hits } = await ask<{ hits?: { hits: { _source: T }[] } }>(
    `${url}/dyno-${kind}-*/_search?ignore_unavailable=true`,
    'POST',
    { query: { term: { 'run.id': run } }, size: 5000 },
  );
  return (hits?.hits ?? []).map(({ _source }) => _source);
}

const each = ({ target, results }: Clusters): string[] => [...new Set([target, results])];

/** Removes everything that a failed run of the tests left in the clusters. It would otherwise affect the next test. */
export async function sweep(clusters: Clusters): Promise<void> {
  for (const url of each(clusters)) {
    const indices = await ask<{ index: string }[]>(`${url}/_cat/indices/dyno*?format=json&h=index`);
    for (const { index } of indices) await ask(`${url}/${index}`, 'DELETE');
    const none = { persistent: { '*': null }, transient: { '*': null } };
    await ask(`${url}/_cluster/settings`, 'PUT', none);
  }
}

const settingsOf = async (url: string): Promise<string> =>
  JSON.stringify(await ask(`${url}/_cluster/settings`));

/** Returns the cluster settings by URL of the cluster. A test compares them with the settings after the run. */
export async function settingsByUrl(clusters: Clusters): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const url of each(clusters)) found.set(url, await settingsOf(url));
  return found;
}

export function endOf({ code, signal }: Ended, run: RunDocument | undefined, output: string): string {
  if (run === undefined) return signal === null ? (code === 0 ? 'completed' : 'refused') : 'not begun';
  const failed = (run.progress as { failed?: number }).failed ?? 0;
  if (run.run.state === 'completed') return failed > 0 ? 'completed-with-failures' : 'completed';
  // Node.js ends with one of these signals when it runs out of memory.
  if (signal !== null && ['SIGKILL', 'SIGABRT', 'SIGTRAP', 'SIGSEGV'].includes(signal)) return 'killed';
  if (/refused|already/.test(output) && run.run.state === 'queued') return 'refused';
  return run.run.state;
}

/**
 * Returns a text for each contradiction in the stored results. Compares the state of the run, its trials, and the sums of its samples (the
 * values of single seconds).
 */
export async function untruths(elasticsearch: string, run: RunDocument): Promise<string[]> {
  const found: string[] = [];
  const { id, state, reason } = run.run;
  if (['running', 'queued'].includes(state)) found.push(`stored as ${state} after its end`);
  if (state === 'failed' && reason === '') found.push('failed without a reason');
  const trials = await documents<TrialDocument>(elasticsearch, 'trials', id);
  const completed = trials.filter(({ trial }) => trial.state === 'completed');
  if (completed.length !== run.progress.completed)
    found.push(`reports ${run.progress.completed} completed trials, but ${completed.length} are stored`);
  if (trials.some(({ trial }) => trial.state === 'running')) found.push('a trial is stored as running');
  const samples = await documents<SampleDocument>(elasticsearch, 'samples', id);
  for (const { phase, counts } of samples) {
    if (counts.attempted !== endedOf(counts))
      found.push(`outcomes of a second of ${phase} do not add up: ${JSON.stringify(counts)}`);
  }
  for (const { trial, tasks, times, disturbances = [] } of completed) {
    // Samples of a repeated attempt are older than the trial. This filter does not work after the clock jumped.
    const from = disturbances.some(({ kind }) => kind === 'clock-jumped') ? '' : times.started;
    for (const { task, total } of tasks) {
      const own = samples.filter(
        (one) => one.trial.id === trial.id && one.task === task && one['@timestamp'] >= from,
      );
      const sum = own.reduce((all, { counts }) => all + counts.accepted, 0);
      if (sum !== total.accepted)
        found.push(
          `samples of ${trial.id} add up to ${sum} accepted documents, but its trial has ${total.accepted}`,
        );
    }
  }
  return found;
}

/** Returns a text for each pattern in the output that users should not see, such as a stack trace. */
export const unreadable = (output: string): string[] =>
  [
    /^\s+at .*\(.*:\d+:\d+\)/m,
    /\[object Object\]/,
    /UnhandledPromise/i,
    /\(node:\d+\) \w*Warning/,
    /\bundefined\b/,
  ]
    .filter((pattern) => pattern.test(output))
    .map((pattern) => `its output matches ${String(pattern)}`);

/** Returns a text for everything that the run left behind in its clusters and on this machine. */
export async function leftovers(
  settingsBefore: ReadonlyMap<string, string>,
  folder: string,
): Promise<string[]> {
  const found: string[] = [];
  for (const [url, settings] of settingsBefore) found.push(...(await leftIn(url, settings)));
  const processes = processesOf(folder);
  if (processes.length > 0) found.push(`left processes: ${processes.join(', ')}`);
  const temporary = readdirSync(path.join(folder, 'tmp'));
  if (temporary.length > 0) found.push(`left temporary files: ${temporary.join(', ')}`);
  return found;
}

async function leftIn(url: string, settingsBefore: string): Promise<string[]> {
  const found: string[] = [];
  const indices = await ask<{ index: string }[]>(
    `${url}/_cat/indices?format=json&h=index&expand_wildcards=all`,
  );
  const kept = /^dyno-(runs|trials|samples|markers|metrics|claims|experiments|targets)/;
  const left = indices.map(({ index }) => index).filter((index) => /dyno/.test(index) && !kept.test(index));
  if (left.length > 0) found.push(`left indices: ${left.join(', ')}`);
  await ask(`${url}/dyno-claims*/_refresh`, 'POST');
  const leases = await ask<{ hits?: { hits: { _source: unknown }[] } }>(
    `${url}/dyno-claims*/_search?ignore_unavailable=true`,
    'POST',
    { size: 10 },
  );
  const held = leases.hits?.hits.length ?? 0;
  if (held > 0) found.push(`left ${held} leases: ${JSON.stringify(leases.hits!.hits[0]!._source)}`);
  const settings = await settingsOf(url);
  if (settings !== settingsBefore) found.push(`left cluster settings: ${settings}`);
  const pipelines = Object.keys(await ask<object>(`${url}/_ingest/pipeline`));
  const own = pipelines.filter((name) => name.startsWith('dyno'));
  if (own.length > 0) found.push(`left pipelines: ${own.join(', ')}`);
  return found;
}
