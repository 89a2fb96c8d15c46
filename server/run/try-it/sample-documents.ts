/** Creates a few documents of a source with the code that also creates them in a load. */
import { DynoError, messageOf, runError } from '../../../common/problem';
import { createRandom, deriveSeed } from '../../../common/random';
import type { IngestJob } from '../../../common/tasks/ingest';
import { Batch } from '../../load/sources/batch';
import { createSource } from '../../load/sources/registry';
import type { DocumentSource } from '../../load/sources/source';
import { ACTION_LINE } from '../../load/sources/source';
import { WriteSource } from '../../load/sources/writes';
import { checkSource } from '../../load/sources/check';
import { orAborted } from '../../target-cluster/or-aborted';
import { withTimeLimit } from '../../waiting';

/** Maximum size of all documents together, in bytes. */
const MOST_BYTES = 8 * 1024 ** 2;
/** Maximum wait for the source, in ms. A file may be on a slow disk, or may have to be unpacked. */
const PATIENCE_MS = 20_000;

export interface SampleOrder {
  job: Pick<IngestJob, 'source' | 'writes'>;
  /** Index name for the action lines. If undefined, the result contains only documents, one on each line. */
  index?: string;
  count: number;
  seed: number;
  signal: AbortSignal;
}

/**
 * Returns the body of a bulk request, or only documents. The result has fewer than `count` documents if the source ends early, or if the
 * documents are large. Rejects with a DynoError (`source.failed` if no documents arrive in time), or with the reason of `signal`.
 */
export async function sampleDocuments({ job, index, count, seed, signal }: SampleOrder): Promise<Batch> {
  if (job.source.kind === 'file') await checkSource(job.source.file, job.source.format);
  let source = undefined as DocumentSource | undefined;
  const filling = new Promise<Batch>((resolve, reject) => {
    const batch = new Batch();
    const fill = (): void => {
      try {
        const filled = source!.fill(batch, { docs: count, bytes: MOST_BYTES }, Date.now());
        if (filled === 'waiting') source!.whenReady(fill);
        else resolve(batch);
      } catch (error) {
        reject(error as Error);
      }
    };
    const setting = { seed, share: { index: 0, of: 1 }, onBroken: reject };
    const writes = index === undefined ? undefined : job.writes;
    const actionLine = index === undefined || writes !== undefined ? '' : ACTION_LINE;
    const documents = createSource(job.source, { ...setting, actionLine });
    source =
      writes === undefined
        ? documents
        : new WriteSource(documents, writes, {
            indices: [index!],
            ids: { task: 0, share: 0, seed },
            random: createRandom(deriveSeed(seed, 'writes')),
            onBroken: reject,
          });
    fill();
  });
  try {
    const late = (): Error => new Error('it took too long');
    return await withTimeLimit(orAborted(filling, signal), PATIENCE_MS, late);
  } catch (error) {
    if (error instanceof DynoError || error === signal.reason) throw error;
    throw runError('source.failed', '', `no documents could be made: ${messageOf(error)}`, error);
  } finally {
    source?.close();
  }
}

/** Returns the lines of a batch. */
export const linesOf = (batch: Batch): string[] =>
  batch
    .body()
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
