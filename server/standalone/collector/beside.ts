/**
 * Runs dynobeat, Dyno's collector, next to the embedded cluster of a Dyno process. Before that, installs the index template for the events
 * of dynobeat. A run never fails because the collector is missing.
 */
import { DynoError, messageOf } from '../../../common/problem';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { engineOfResults } from '../../results/engine';
import { readMetricsTemplate } from '../../results/metrics-template';
import { installTemplates } from '../../results/templates';
import type { Console } from '../terminal/console';
import type { ResultsCluster } from './configuration';
import { type CollectorFiles, whyMissing } from './files';
import { type Collector, collectorFolderIn, startCollector } from './start';

export interface CollectorOptions extends CollectorFiles {
  results: ElasticsearchClient & ResultsCluster;
  /** The embedded cluster; undefined if this process has not started it or no collector is wanted. */
  watched: { urls: readonly string[]; dataFolder: string } | undefined;
  console: Pick<Console, 'say' | 'warn'>;
}

const CONSEQUENCE = 'runs continue without metrics of the nodes';

/**
 * Installs the index template and starts Dyno's collector. If the collector is wanted but cannot start, prints the reason on the console
 * and resolves to undefined. Never rejects.
 */
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
      engine: await engineOfResults(options.results),
      // The folder of the collector is inside the data folder of the cluster, so that both are removed together.
      folder: collectorFolderIn(watched.dataFolder),
      onEnd: (message) => console.warn(`${message}; ${CONSEQUENCE}`),
    });
  } catch (error) {
    console.warn(`no collector: ${messageOf(error)}; ${CONSEQUENCE}`);
    return undefined;
  }
}

/** Installs the index template. This must happen before the first event is stored. Otherwise, Elasticsearch would guess the mapping. */
async function installMetricsTemplate({
  results,
  metricsTemplateFile,
  console,
}: CollectorOptions): Promise<void> {
  try {
    const template = await readMetricsTemplate(metricsTemplateFile);
    for (const note of await installTemplates(results, [template])) console.warn(note);
  } catch (error) {
    // If the user may write results but not install templates, an administrator has to install this template, like the other templates of
    // the results.
    if (!(error instanceof DynoError) || error.code !== 'results.forbidden') throw error;
  }
}
