/** Looks at the logs that a run replays before it begins: a log of which nothing can be sent fails in the preflight. */
import { plural } from '../../common/analysis/wording';
import { definitionFor } from '../../common/experiment/cells';
import type { Definition } from '../../common/experiment/definition';
import type { ReplayDefinition } from '../../common/experiment/replay';
import type { Plan } from '../../common/experiment/plan';
import { isSuccess } from '../../common/elasticsearch/answer';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { inputError } from '../../common/problem';
import type { LogRules } from '../../common/replay/judge';
import { inspectLog, type LogFacts } from '../load/sources/inspect-log';
import { existingIndices, replayJob } from './replay-job';

/** Lines that are read before a run. */
const CHECKED = 1000;

export interface ReplaysToCheck {
  definition: Definition;
  plan: Plan;
  folder: string;
  connection: ElasticsearchClient;
}

/** The rules of a replay as its lines are judged by. */
export function rulesOf(replay: ReplayDefinition, timed: boolean): LogRules {
  const { format, types, everyShard, rewrite, accept, route } = replayJob(replay, '', timed);
  return {
    format,
    types: types === null ? null : new Set(types),
    everyShard,
    timed,
    route,
    rewrite: new Set(rewrite),
    accept: new Set(accept),
  };
}

/** Of the log's beginning; rejects with a DynoError (input) when nothing of it can be sent. */
async function checkLog(file: string, rules: LogRules): Promise<string> {
  const { account, ended } = await inspectLog(file, rules, CHECKED);
  if (account.lines === 0) throw inputError('source.empty', file, 'holds no searches');
  if (account.sent === 0 && (ended || account.malformed + account.refused > 0))
    throw nothingToSend(file, account);
  const { malformed, refused, lines } = account;
  return malformed + refused === 0
    ? ''
    : `${file}: of its first ${plural(lines, 'line')}, ${malformed} malformed and ${refused} refused`;
}

function nothingToSend(file: string, account: LogFacts['account']): Error {
  const example = account.malformedExamples[0] ?? account.refusedExamples[0];
  const why = example === undefined ? 'all are of other types' : `line ${example.line} ${example.reason}`;
  return inputError('source.nothing-to-send', file, `nothing of its first lines can be sent: ${why}`, {
    found: example?.text,
    allowed: 'another format, types, or rewrite',
  });
}

async function checkExisting(client: ElasticsearchClient, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const { status } = await client.request({ method: 'GET', path: `/${encodeURIComponent(name)}/_count` });
    if (isSuccess(status)) continue;
    throw inputError(
      'target.no-index',
      name,
      status === 404 ? 'there is no such index' : `cannot be searched (HTTP ${status})`,
      { allowed: 'an index, alias or data stream of the target' },
    );
  }
}

/** Returns notes; rejects with a DynoError that names what is wrong. */
export async function checkReplays({
  definition,
  plan,
  folder,
  connection,
}: ReplaysToCheck): Promise<string[]> {
  const notes = new Set<string>();
  const checked = new Set<string>();
  for (const cell of plan.cells) {
    for (const { replay, executor } of definitionFor(definition, cell).tasks) {
      if (!replay) continue;
      const timed = executor.recorded !== undefined;
      const key = JSON.stringify([replay, timed]);
      if (checked.has(key)) continue;
      checked.add(key);
      await checkExisting(connection, existingIndices(replay));
      notes.add(await checkLog(replayJob(replay, folder, timed).file, rulesOf(replay, timed)));
    }
  }
  return [...notes].filter(Boolean);
}
