/** Looks at the parsing of a run before it begins: whether the target can do it, and whether the lines fit the patterns. */
import { availableParallelism } from 'node:os';
import { definitionFor } from '../../../common/experiment/cells';
import type { Definition } from '../../../common/experiment/definition';
import { parsersOf, type ParseDefinition } from '../../../common/experiment/parse';
import type { Plan } from '../../../common/experiment/plan';
import { plural } from '../../../common/analysis/wording';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { inputError } from '../../../common/problem';
import { tryLines } from '../../load/parse/try-lines';
import { firstLines } from '../../load/sources/first-lines';
import { checkProcessors, proveIngestPipeline } from '../../target-cluster/ingest-pipelines';
import { parseJob, pipelineBody, processorsOf } from './parse-job';
import { sourceFile } from './replay-job';

/** Lines that are read before a run. */
const CHECKED = 1000;

export interface ParsingToCheck {
  definition: Definition;
  plan: Plan;
  folder: string;
  connection: ElasticsearchClient;
  workerFile: string;
}

/** Whether some cell has lines parsed by the target: it takes a privilege. */
export const parsesInTarget = ({ definition, plan }: Pick<ParsingToCheck, 'definition' | 'plan'>): boolean =>
  plan.cells.some((cell) =>
    definitionFor(definition, cell).tasks.some(({ ingest }) => ingest?.parse?.by === 'pipeline'),
  );

/** Returns notes; rejects with a DynoError that names what is wrong. */
export async function checkParsing(input: ParsingToCheck): Promise<string[]> {
  const { definition, plan, connection, folder, workerFile } = input;
  const notes = new Set<string>();
  const checked = new Set<string>();
  for (const cell of plan.cells) {
    const own = definitionFor(definition, cell);
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
        notes.add(await checkLines(sourceFile(ingest.source.file, folder), ingest.parse, path, workerFile));
    }
  }
  notes.add(coresNote(input));
  return [...notes].filter(Boolean);
}

/**
 * Of the file's beginning. Rejects with a DynoError `source.nothing-parsed` (input) when no line of it fits, and as
 * {@link tryLines} does.
 */
async function checkLines(
  file: string,
  parse: ParseDefinition,
  path: string,
  workerFile: string,
): Promise<string> {
  const patterns = parseJob({ ...parse, by: 'workers' })!;
  const lines = await firstLines(file, CHECKED);
  const { tried, unparsed, example } = await tryLines({ parse: patterns, lines, path, file, workerFile });
  if (unparsed === 0) return '';
  if (unparsed === tried) {
    throw inputError('source.nothing-parsed', `${path}.pattern`, `no line of the beginning of ${file} fits`, {
      found: example,
      allowed: 'a pattern that matches its lines',
    });
  }
  return `${file}: of its first ${plural(tried, 'line')}, ${unparsed} unparsed (${example})`;
}

/** '' where the parsers of every cell have a core each. */
function coresNote({ definition, plan }: ParsingToCheck): string {
  const cores = availableParallelism();
  const most = Math.max(
    0,
    ...plan.cells.map((cell) =>
      definitionFor(definition, cell).tasks.reduce(
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
