/**
 * Ends runs that no process executes any more. With security, Kibana itself has no access to the results. So this runs with the
 * rights of users: before they start a run, and when they view runs.
 */
import { messageOf } from '../../common/problem';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { createResultsReader } from '../results/reader';
import { createResultsWriter } from '../results/writer';
import { recoverRuns } from '../run/queue/queue';
import type { KibanaServices } from './kibana-services';
import { spoolOf } from './spool';

/** Minimum interval of checks in ms. A process elsewhere counts as dead after a minute, so that more frequent checks find nothing. */
const AGAIN_MS = 60_000;
/** Time limit in ms for storing what earlier processes have spooled. The rest stays on disk. */
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
        // A user with read-only rights cannot do this. The next user with more rights does.
        .catch((error: unknown) => kibana.log.info(`runs could not be checked: ${messageOf(error)}`))
        .finally(() => (looking = undefined));
      return looking;
    },
  };
}
