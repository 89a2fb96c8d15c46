/**
 * Ends runs that nobody carries any more. Kibana itself may not touch results where security is on, so this happens when
 * users come by who may: before they start a run, and when they look at runs.
 */
import { messageOf } from '../../common/problem';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { createResultsReader } from '../results/reader';
import { createResultsWriter } from '../results/writer';
import { recoverRuns } from '../run/queue/queue';
import type { KibanaServices } from './kibana-services';
import { spoolOf } from './spool';

/** A carrier elsewhere counts as dead after a minute: more often there is nothing to find. */
const AGAIN_MS = 60_000;
/** For storing what an earlier process could not, ms; what is not stored then stays on the disk. */
const DRAIN_MS = 10_000;

export interface Recovery {
  /** Looks unless it has just been done; never rejects. */
  look(results: ElasticsearchClient): Promise<void>;
}

export function createRecovery(kibana: KibanaServices): Recovery {
  let last = -Infinity;
  let looking: Promise<void> | undefined;

  async function recover(results: ElasticsearchClient): Promise<void> {
    const writer = createResultsWriter({
      client: results,
      spoolDir: await spoolOf(kibana, results),
      templates: 'assumed',
      onProblem: () => undefined,
    });
    try {
      // What an earlier process could not store tells how its run ended.
      if ((await writer.drainLeftovers()) > 0) await writer.flush(DRAIN_MS);
      const { notes } = await recoverRuns(createResultsReader(results), writer, results);
      for (const note of notes) kibana.log.info(note);
    } finally {
      await writer.close();
    }
  }

  return {
    look(results) {
      if (looking) return looking;
      if (performance.now() - last < AGAIN_MS) return Promise.resolve();
      last = performance.now();
      looking = recover(results)
        // Whoever may only read leaves it to the next.
        .catch((error: unknown) => kibana.log.info(`runs could not be checked: ${messageOf(error)}`))
        .finally(() => (looking = undefined));
      return looking;
    },
  };
}
