/**
 * Ends runs that no process executes any more. With security, Kibana itself has no access to the results. The recovery therefore uses the
 * rights of users: before they start a run, and when they view runs.
 */
import { messageOf } from '../../common/problem';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { createResultsReader } from '../results/reader';
import { createResultsWriter } from '../results/writer';
import { recoverRuns } from '../run/queue/queue';
import type { KibanaServices } from './kibana-services';
import { spoolOf } from './spool';

/**
 * Minimum interval between checks, in ms. A process elsewhere counts as dead only after a minute, so more frequent checks would find
 * nothing.
 */
const AGAIN_MS = 60_000;
/** Time limit, in ms, for storing the spooled documents of earlier processes. The remaining documents stay on disk. */
const DRAIN_MS = 10_000;

export interface Recovery {
  /** Checks the runs unless that was done recently. Never rejects. */
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
      // Results that an earlier process has spooled may contain the final state of its run.
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
        // Users with read-only rights cannot store the changes. The next user with more rights can.
        .catch((error: unknown) => kibana.log.info(`runs could not be checked: ${messageOf(error)}`))
        .finally(() => (looking = undefined));
      return looking;
    },
  };
}
