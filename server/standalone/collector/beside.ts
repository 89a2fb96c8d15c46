/**
 * The collector of a Dyno process: installs the template of its events, which also a collector that the user has
 * installed needs, and runs dynobeat beside the embedded cluster that this process has started. A run never fails for
 * want of it.
 */
import { DynoError, messageOf } from '../../../common/problem';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { readMetricsTemplate } from '../../results/metrics-template';
import { installTemplates } from '../../results/templates';
import type { Console } from '../terminal/console';
import type { ResultsCluster } from './configuration';
import { type CollectorFiles, whyMissing } from './files';
import { type Collector, collectorFolderIn, startCollector } from './start';

export interface CollectorOptions extends CollectorFiles {
  results: ElasticsearchClient & ResultsCluster;
  /** The embedded cluster, if this process has started it and a collector is wanted. */
  watched: { urls: readonly string[]; dataFolder: string } | undefined;
  console: Pick<Console, 'say' | 'warn'>;
}

const CONSEQUENCE = 'runs continue without figures from the nodes';

/** Resolves to the collector, or to undefined when there is none, which is said if one was wanted. Never rejects. */
export async function collectBeside(options: CollectorOptions): Promise<Collector | undefined> {
  const { watched, console, collectorFile } = options;
  try {
    await installMetricsTemplate(options);
  } catch (error) {
    const consequence = watched ? `no collector: ${CONSEQUENCE}` : 'no collector may ship yet';
    console.warn(`the template of dyno-metrics-* is not installed: ${messageOf(error)}; ${consequence}`);
    return undefined;
  }
  if (!watched) return undefined;
  try {
    const why = await whyMissing(collectorFile);
    if (why !== undefined || collectorFile === undefined) {
      console.say(`no collector: ${why}; ${CONSEQUENCE}`);
      return undefined;
    }
    return await startCollector({
      binary: collectorFile,
      watched: watched.urls,
      results: options.results,
      // Beside the data: whoever removes the cluster removes its collector.
      folder: collectorFolderIn(watched.dataFolder),
      onEnd: (message) => console.warn(`${message}; ${CONSEQUENCE}`),
    });
  } catch (error) {
    console.warn(`no collector: ${messageOf(error)}; ${CONSEQUENCE}`);
    return undefined;
  }
}

/** Before the first event: without the template an index would be made with fields guessed from it. */
async function installMetricsTemplate({
  results,
  metricsTemplateFile,
  console,
}: CollectorOptions): Promise<void> {
  try {
    const template = await readMetricsTemplate(metricsTemplateFile);
    for (const note of await installTemplates(results, [template])) console.warn(note);
  } catch (error) {
    // Whoever may write but not install relies on somebody's having installed it, as for the other results.
    if (!(error instanceof DynoError) || error.code !== 'results.forbidden') throw error;
  }
}
