/** Looks at the logs that a run replays before it begins: a log of which nothing can be sent fails in the preflight. */
import { plural } from '../../../common/analysis/wording';
import type { Plan } from '../../../common/experiment/plan';
import { isSuccess } from '../../../common/elasticsearch/answer';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { inputError } from '../../../common/problem';
import type { LogRules } from '../../../common/replay/judge';
import { inspectLog, type LogFacts } from '../../load/sources/inspect-log';
import type { LogSource, ReplayJob } from '../../load/contract';
import { logName } from '../../load/sources/log-source';
import { existingIndices, replayJob } from './replay-job';

/** Lines that are read before a run. */
const CHECKED = 1000;

export interface ReplaysToCheck {
  plan: Plan;
  folder: string;
  connection: ElasticsearchClient;
}

/** The rules of a replay as its lines are judged by. */
const rulesOf = ({
  format,
  types,
  everyShard,
  timed,
  rewrite,
  accept,
  route,
}: Omit<ReplayJob, 'kind' | 'source' | 'params' | 'repeat'>): LogRules => ({
  format,
  types: types === null ? null : new Set(types),
  everyShard,
  timed,
  route,
  rewrite: new Set(rewrite),
  accept: new Set(accept),
});

/** Of the log's beginning; rejects with a DynoError (input) when nothing of it can be sent. */
async function checkLog(source: LogSource, rules: LogRules): Promise<string> {
  const { account, ended } = await inspectLog(source, rules, CHECKED);
  const name = logName(source);
  if (account.lines === 0) throw inputError('source.empty', name, 'holds no searches');
  if (account.sent === 0 && (ended || account.malformed + account.refused > 0))
    throw nothingToSend(name, account);
  const { malformed, refused, lines } = account;
  return malformed + refused === 0
    ? ''
    : `${name}: of its first ${plural(lines, 'line')}, ${malformed} malformed and ${refused} refused`;
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
export async function checkReplays({ plan, folder, connection }: ReplaysToCheck): Promise<string[]> {
  const notes = new Set<string>();
  const checked = new Set<string>();
  for (const { definition: own } of plan.cells) {
    for (const { name, replay, executor } of own.tasks) {
      if (!replay) continue;
      const job = replayJob({ name, replay, executor }, own, folder);
      const key = JSON.stringify(job);
      if (checked.has(key)) continue;
      checked.add(key);
      await checkExisting(connection, existingIndices(replay));
      notes.add(await checkLog(job.source, rulesOf(job)));
    }
  }
  return [...notes].filter(Boolean);
}
