/** Looks at the parsing of a run before it begins: whether the target can do it, and whether the lines fit the patterns. */
import { availableParallelism } from 'node:os';
import { parsersOf, type ParseDefinition } from '../../../common/experiment/parse';
import type { Plan } from '../../../common/experiment/plan';
import { plural } from '../../../common/analysis/wording';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { inputError } from '../../../common/problem';
import { LineParser } from '../../load/parse/line-parser';
import { Batch } from '../../load/sources/batch';
import { firstLines } from '../../load/sources/first-lines';
import { checkProcessors, proveIngestPipeline } from '../../target-cluster/ingest-pipelines';
import { parseJob, pipelineBody, processorsOf } from './parse-job';
import { sourceFile } from './replay-job';

/** Lines that are read before a run. */
const CHECKED = 1000;

export interface ParsingToCheck {
  plan: Plan;
  folder: string;
  connection: ElasticsearchClient;
}

/** Whether some cell has lines parsed by the target: it takes a privilege. */
export const parsesInTarget = ({ cells }: Plan): boolean =>
  cells.some(({ definition }) => definition.tasks.some(({ ingest }) => ingest?.parse?.by === 'pipeline'));

/** Returns notes; rejects with a DynoError that names what is wrong. */
export async function checkParsing(input: ParsingToCheck): Promise<string[]> {
  const { plan, connection, folder } = input;
  const notes = new Set<string>();
  const checked = new Set<string>();
  for (const { definition: own } of plan.cells) {
    for (const { name, ingest } of own.tasks) {
      if (!ingest?.parse) continue;
      const key = JSON.stringify([ingest.source, ingest.parse]);
      if (checked.has(key)) continue;
      checked.add(key);
      const path = `tasks.${name}.ingest.parse`;
      if (ingest.parse.by === 'pipeline') {
        await checkProcessors(connection, processorsOf(ingest.parse), path);
        await proveIngestPipeline(connection, pipelineBody(ingest.parse), `${path}.pattern`);
      }
      if (ingest.source.file !== undefined)
        notes.add(await checkLines(sourceFile(ingest.source.file, folder), ingest.parse, path));
    }
  }
  notes.add(coresNote(plan));
  return [...notes].filter(Boolean);
}

/** Of the file's beginning; rejects with a DynoError `source.nothing-parsed` (input) when no line of it fits. */
async function checkLines(file: string, parse: ParseDefinition, path: string): Promise<string> {
  const parser = new LineParser(
    parseJob({ ...parse, by: 'workers' }) ?? {
      patterns: [],
      definitions: {},
      timestamp: null,
      onFailure: 'tag',
    },
    '',
  );
  parser.setTime(Date.now());
  const out = new Batch();
  let unparsed = 0;
  let example = '';
  const lines = await firstLines(file, CHECKED);
  for (const line of lines) {
    out.clear();
    const why = parser.append(line, 0, line.length, out);
    if (why === '') continue;
    if (unparsed === 0) example = `${why}: ${line.toString('utf8', 0, 200)}`;
    unparsed += 1;
  }
  if (unparsed === 0) return '';
  if (unparsed === lines.length) {
    throw inputError('source.nothing-parsed', `${path}.pattern`, `no line of the beginning of ${file} fits`, {
      found: example,
      allowed: 'a pattern that matches its lines',
    });
  }
  return `${file}: of its first ${plural(lines.length, 'line')}, ${unparsed} unparsed (${example})`;
}

/** '' where the parsers of every cell have a core each. */
function coresNote({ cells }: Plan): string {
  const cores = availableParallelism();
  const most = Math.max(
    0,
    ...cells.map(({ definition }) =>
      definition.tasks.reduce(
        (sum, { ingest }) => sum + (ingest?.parse ? (parsersOf(ingest.parse) ?? 0) : 0),
        0,
      ),
    ),
  );
  if (most <= cores) return '';
  return (
    `${plural(most, 'parser')} on ${plural(cores, 'core')}, which the threads that send and read need too: ` +
    'more parsers than cores parse no faster'
  );
}
