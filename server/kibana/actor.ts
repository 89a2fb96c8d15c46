/** As whom a run acts, from its beginning to its end: an API key that its user granted, or Kibana where there are no users. */
import path from 'node:path';
import { describeProblem, messageOf } from '../../common/problem';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { createResultsReader, type ResultsReader } from '../results/reader';
import { readMetricsTemplate } from '../results/metrics-template';
import { TEMPLATES, type Template } from '../results/templates';
import { createResultsWriter, type ResultsWriter } from '../results/writer';
import { asElasticsearchClient } from './elasticsearch';
import type { KibanaServices } from './kibana-services';
import { authorizationOfKey, grantKey, invalidateKey, type Key } from './keys';
import { noteKey } from './orphaned-keys';
import type { KibanaRequest } from './sdk';
import { spoolOf } from './spool';

export interface Actor {
  /** The cluster that keeps the results. */
  results: ElasticsearchClient;
  reader: ResultsReader;
  writer: ResultsWriter;
  /** Kibana's own cluster. */
  own: ElasticsearchClient;
  /** For Kibana's own cluster as a target; undefined without security. */
  authorization: string | undefined;
  /** Writes what it can, and gives the key back. Never rejects. */
  close(): Promise<void>;
}

/** By what a run acts: a key of its user's, or null where there is no security and Kibana itself may do everything. */
export interface Grant {
  key: Key | null;
  /** Never rejects. */
  giveBack(): Promise<void>;
}

/** A key outlives its run when Kibana dies before it can be given back, and never starts again with the same data. */
const KEY_EXPIRATION = '30d';

/** Granted for one run by the user of the request, and invalidated when it has ended. Rejects with a DynoError `run.key`. */
export async function grantForRun(
  kibana: KibanaServices,
  request: KibanaRequest,
  why: string,
): Promise<Grant> {
  const key = await grantKey(kibana, request, why, KEY_EXPIRATION);
  if (!key) return { key, giveBack: () => Promise.resolve() };
  const note = await noteKey(kibana, key.id);
  return {
    key,
    giveBack: async () => ((await invalidateKey(kibana, key.id)) ? note.strike() : note.leave()),
  };
}

/** A key that is kept beyond the run. */
export const keptGrant = (key: Key | null): Grant => ({ key, giveBack: () => Promise.resolve() });

function clientOf({ core }: KibanaServices, authorization: string | undefined): ElasticsearchClient {
  const { client } = core.elasticsearch;
  return asElasticsearchClient(
    authorization === undefined
      ? client.asInternalUser
      : client.asScoped({ headers: { authorization } }).asCurrentUser,
  );
}

/** The results' templates, the collector's among them where the plugin was built with it. */
export async function resultsTemplates({ folder, log }: KibanaServices): Promise<readonly Template[]> {
  try {
    return [...TEMPLATES, await readMetricsTemplate(path.join(folder, 'metrics-template.json'))];
  } catch (error) {
    log.warn(messageOf(error));
    return TEMPLATES;
  }
}

/** Rejects, with the grant given back, when the cluster that keeps the results is away. */
export async function becomeActor(kibana: KibanaServices, grant: Grant): Promise<Actor> {
  try {
    return await actingBy(kibana, grant);
  } catch (error) {
    await grant.giveBack();
    throw error;
  }
}

async function actingBy(kibana: KibanaServices, { key, giveBack }: Grant): Promise<Actor> {
  const authorization = key ? authorizationOfKey(key) : undefined;
  const own = clientOf(kibana, authorization);
  const results = kibana.resultsOf(own);
  const writer = createResultsWriter({
    client: results,
    spoolDir: await spoolOf(kibana, results),
    spoolBytes: kibana.config.limits.spoolMegabytes * 1024 ** 2,
    templates: await resultsTemplates(kibana),
    onProblem: (problem) => kibana.log.warn(describeProblem(problem)),
  });
  return {
    own,
    results,
    reader: createResultsReader(results),
    writer,
    authorization,
    async close() {
      try {
        await writer.close();
      } finally {
        await giveBack();
      }
    },
  };
}
