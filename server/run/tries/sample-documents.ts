/** A few documents of a source, made by what makes them under load. */
import { DynoError, messageOf, runError } from '../../../common/problem';
import { createRandom, deriveSeed } from '../../../common/random';
import type { IngestJob } from '../../../common/tasks/ingest';
import { Batch } from '../../load/sources/batch';
import { createSource } from '../../load/sources/registry';
import type { DocumentSource } from '../../load/sources/source';
import { ACTION_LINE } from '../../load/sources/source';
import { WriteSource } from '../../load/sources/writes';
import { checkSource } from '../../load/sources/check';

/** Of all documents together, bytes. */
const MOST_BYTES = 8 * 1024 ** 2;
/** A file on a slow disk, or one that is unpacked, ms. */
const PATIENCE_MS = 20_000;

export interface SampleOrder {
  job: Pick<IngestJob, 'source' | 'writes'>;
  /** Name that the action lines are for; undefined for bare documents, one on a line. */
  index?: string;
  count: number;
  seed: number;
  signal: AbortSignal;
}

/** The body of a bulk, or bare documents; fewer than asked for where the source has no more or they are large. */
export async function sampleDocuments({ job, index, count, seed, signal }: SampleOrder): Promise<Batch> {
  if (job.source.kind === 'file') await checkSource(job.source.file, job.source.format);
  return await new Promise<Batch>((resolve, reject) => {
    const batch = new Batch();
    let source: DocumentSource | undefined;
    const end = (settle: () => void): void => {
      clearTimeout(late);
      signal.removeEventListener('abort', leave);
      source?.close();
      settle();
    };
    const fail = (error: unknown): void =>
      end(() =>
        reject(
          error instanceof DynoError
            ? error
            : runError('source.failed', '', `no documents could be made: ${messageOf(error)}`, error),
        ),
      );
    const leave = (): void => end(() => reject(signal.reason as Error));
    const late = setTimeout(() => fail(new Error('it took too long')), PATIENCE_MS);
    signal.addEventListener('abort', leave, { once: true });
    const fill = (): void => {
      try {
        const filled = source!.fill(batch, { docs: count, bytes: MOST_BYTES }, Date.now());
        if (filled === 'waiting') source!.whenReady(fill);
        else end(() => resolve(batch));
      } catch (error) {
        fail(error);
      }
    };
    try {
      const setting = { seed, share: { index: 0, of: 1 }, onBroken: fail };
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
              onBroken: fail,
            });
      fill();
    } catch (error) {
      fail(error);
    }
  });
}

/** The lines of a batch. */
export const linesOf = (batch: Batch): string[] =>
  batch
    .body()
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
