/**
 * Looks for runs whose process has ended, and ends these runs. If security is enabled, Kibana itself has no access to the results.
 * Therefore, this happens with the rights of a user: before the user starts a run, and when the user views runs.
 */
import { messageOf } from '../../common/problem';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { createResultsReader } from '../results/reader';
import { createResultsWriter } from '../results/writer';
import { recoverRuns } from '../run/queue/queue';
import type { KibanaServices } from './kibana-services';
import { spoolOf } from './spool';

/**
 * Minimum time between two checks, in ms. A process of another machine only counts as dead after a minute, so earlier checks would find
 * nothing.
 */
const AGAIN_MS = 60_000;
/** Maximum time in ms for storing the spooled documents of earlier processes. Documents that are not stored in this time stay on disk. */
const DRAIN_MS = 10_000;

export interface Recovery {
  /**
   * Looks for runs whose process has ended, and ends these runs. Does nothing if the last check was less than a minute ago. Never rejects.
   */
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
      // The spooled results of an earlier process are stored first, because they may contain the final state of its run.
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
        // If the user has only read access, the changes cannot be stored. The check for the next user with more rights stores them.
        .catch((error: unknown) => kibana.log.info(`runs could not be checked: ${messageOf(error)}`))
        .finally(() => (looking = undefined));
      return looking;
    },
  };
}
