/** Ingest pipelines that a run which was cut off left in its target. */
import { RESTING_STATES } from '../../../common/measurement/run';
import { messageOf } from '../../../common/problem';
import type { ResultsReader } from '../../results/reader';
import type { ResultsWriter } from '../../results/writer';
import type { Connection } from '../../target-cluster/connection';
import { dropIngestPipeline, findMarkedPipelines } from '../../target-cluster/ingest-pipelines';

/**
 * Removes ingest pipelines in the target that carry Dyno's mark and belong to a run that has ended, as is
 * done with indices. Returns sentences for the user; rejects when the target or the results cannot be asked.
 */
export async function removeLeftPipelines(
  connection: Connection,
  reader: Pick<ResultsReader, 'getRun'>,
  writer: Pick<ResultsWriter, 'saveRun'>,
): Promise<string[]> {
  const notes: string[] = [];
  for (const { pipeline, mark } of await findMarkedPipelines(connection)) {
    const document = await reader.getRun(mark.run);
    if (document === undefined) {
      notes.push(
        `the ingest pipeline ${pipeline} belongs to run ${mark.run}, which these results do not know: left alone`,
      );
      continue;
    }
    if (!RESTING_STATES.includes(document.run.state)) continue;
    try {
      await dropIngestPipeline(connection, pipeline);
      notes.push(`removed the ingest pipeline ${pipeline}, left behind by run ${mark.run}`);
    } catch (error) {
      notes.push(`the ingest pipeline ${pipeline} could not be removed: ${messageOf(error)}`);
      continue;
    }
    const { pipelines = [], ...run } = document.run;
    const left = pipelines.filter((name) => name !== pipeline);
    if (left.length < pipelines.length)
      await writer.saveRun({ ...document, run: { ...run, ...(left.length > 0 ? { pipelines: left } : {}) } });
  }
  return notes;
}
