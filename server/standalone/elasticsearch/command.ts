/** `dyno elasticsearch`: runs only the embedded cluster, until interrupted. */
import type { NodeAttribute } from '../../../common/experiment/node-attribute';
import { attributesOfNodes } from '../../../common/experiment/requested-cluster';
import { inputError, runError } from '../../../common/problem';
import { Connection } from '../../target-cluster/connection';
import { collectBeside } from '../collector/beside';
import type { CollectorFiles } from '../collector/files';
import type { Collector } from '../collector/start';
import type { Console } from '../terminal/console';
import { onSignal } from '../terminal/signals';
import { type AcquiredElasticsearch, acquireElasticsearch } from './acquire';
import { describeDistribution, type DistributionKind } from './distribution';

export interface ElasticsearchCommandContext extends CollectorFiles {
  console: Console;
}

export interface ElasticsearchCommandOptions {
  nodes: number;
  attribute?: NodeAttribute;
  port?: number;
  heap?: string;
  data?: string;
  distribution?: DistributionKind;
  /** Whether to start Dyno's collector (dynobeat). */
  collector: boolean;
}

/** Starts Dyno's collector. The metrics of the cluster are stored in the cluster itself. */
async function collect(
  cluster: AcquiredElasticsearch,
  { collector }: ElasticsearchCommandOptions,
  context: ElasticsearchCommandContext,
): Promise<Collector | undefined> {
  const results = new Connection({ hosts: [cluster.url] });
  try {
    return await collectBeside({ ...context, results, watched: collector ? cluster : undefined });
  } finally {
    await results.close();
  }
}

/** Resolves at the first signal. A second signal ends the process and its nodes immediately. */
const untilInterrupted = (): Promise<undefined> =>
  new Promise((resolve) => {
    onSignal(
      () => resolve(undefined),
      () => process.exit(3),
    );
  });

/**
 * Runs the embedded cluster. Prints its URL on stdout once the cluster is ready; all other output goes to stderr. Resolves to the exit code
 * after a signal. Rejects with a DynoError if the cluster cannot start or if all of its nodes end. If only some nodes end, the others
 * continue.
 */
export async function elasticsearchCommand(
  options: ElasticsearchCommandOptions,
  context: ElasticsearchCommandContext,
): Promise<number> {
  const { say, print, warn } = context.console;
  const { nodes, attribute, port, heap, data, distribution: kind } = options;
  const nodeAttributes = attribute && attributesOfNodes(attribute, nodes);
  const acquired = await acquireElasticsearch({
    nodes,
    nodeAttributes,
    port,
    heap,
    dataFolder: data,
    kind,
    say,
  });
  if (!acquired.started) {
    throw inputError(
      'elasticsearch.running',
      acquired.dataFolder,
      `process ${acquired.ownerPid} already runs an Elasticsearch on this data, at ${acquired.url}; ` +
        'use it, stop it, or choose another folder (--data)',
    );
  }
  const interrupted = untilInterrupted();
  const collector = await collect(acquired, options, context);
  for (const { name, url, pid } of acquired.started.nodes) say(`${name} at ${url}, process ${pid}`);
  say(`${describeDistribution(acquired.started)}. Press Ctrl-C to stop it`);
  print(acquired.url);
  acquired.started.onLoss(({ message, left }) => left.length > 0 && warn(message));
  const ended = await Promise.race([interrupted, acquired.started.ended]);
  if (ended === undefined) say('Stopping Elasticsearch');
  await collector?.stop();
  await acquired.stop();
  if (ended !== undefined) {
    throw runError('elasticsearch.ended', acquired.dataFolder, `${ended}; see its logs`);
  }
  return 0;
}
