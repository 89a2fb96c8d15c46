/**
 * The collector of a Dyno process. Installs the index template of the events, which collectors that users install need too, and runs
 * dynobeat next to the embedded cluster of this process. A run never fails because the collector is missing.
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
  /** The embedded cluster, if this process has started it and a collector is wanted. */
  watched: { urls: readonly string[]; dataFolder: string } | undefined;
  console: Pick<Console, 'say' | 'warn'>;
}

const CONSEQUENCE = 'runs continue without metrics of the nodes';

/**
 * Starts the collector. Resolves to the collector, or to undefined. Prints on the console why a wanted collector is missing. Never rejects.
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
      // The folder is inside the data folder, so that it is removed together with the cluster.
      folder: collectorFolderIn(watched.dataFolder),
      onEnd: (message) => console.warn(`${message}; ${CONSEQUENCE}`),
    });
  } catch (error) {
    console.warn(`no collector: ${messageOf(error)}; ${CONSEQUENCE}`);
    return undefined;
  }
}

/** Runs before the first event, because without the template Elasticsearch would guess the mapping. */
async function installMetricsTemplate({
  results,
  metricsTemplateFile,
  console,
}: CollectorOptions): Promise<void> {
  try {
    const template = await readMetricsTemplate(metricsTemplateFile);
    for (const note of await installTemplates(results, [template])) console.warn(note);
  } catch (error) {
    // If the user may write results but not install templates, an administrator has to install this template, as all templates of results.
    if (!(error instanceof DynoError) || error.code !== 'results.forbidden') throw error;
  }
}
