/** As whom a run acts, from its beginning to its end: an API key that its user granted, or Kibana where there are no users. */
import path from 'node:path';
import { describeProblem, messageOf, runError } from '../../common/problem';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { createResultsReader, type ResultsReader } from '../results/reader';
import { readMetricsTemplate } from '../results/metrics-template';
import { TEMPLATES, type Template } from '../results/templates';
import { createResultsWriter, type ResultsWriter } from '../results/writer';
import { asElasticsearchClient } from './elasticsearch';
import type { House } from './house';
import type { KibanaRequest } from './sdk';

export interface Actor {
  /** The cluster that keeps the results. */
  results: ElasticsearchClient;
  reader: ResultsReader;
  writer: ResultsWriter;
  /** For Kibana's own cluster as a target; undefined without security. */
  authorization: string | undefined;
  /** Writes what it can, and gives the key back. Never rejects. */
  close(): Promise<void>;
}

/** A key outlives its run when Kibana dies before it can be given back. */
const KEY_EXPIRATION = '30d';

interface Grant {
  authorization: string | undefined;
  client: ElasticsearchClient;
  giveBack(): Promise<unknown>;
}

/** Null without security: Kibana itself may then do everything, as everybody. */
async function grantKey(house: House, request: KibanaRequest, why: string): Promise<Grant | null> {
  const { apiKeys, core } = house;
  const granted = await apiKeys?.grantAsInternalUser(request, {
    name: `dyno: ${why}`,
    // No less and no more than the user.
    role_descriptors: {},
    metadata: { application: 'dyno' },
    expiration: KEY_EXPIRATION,
  });
  if (!apiKeys || !granted) return null;
  const authorization = `ApiKey ${Buffer.from(`${granted.id}:${granted.api_key}`).toString('base64')}`;
  return {
    authorization,
    client: asElasticsearchClient(
      core.elasticsearch.client.asScoped({ headers: { authorization } }).asCurrentUser,
    ),
    giveBack: () => apiKeys.invalidateAsInternalUser({ ids: [granted.id] }),
  };
}

async function grant(house: House, request: KibanaRequest, why: string): Promise<Grant> {
  let granted: Grant | null;
  try {
    granted = await grantKey(house, request, why);
  } catch (error) {
    throw runError('run.key', '', `no API key could be granted for the run: ${messageOf(error)}`, error);
  }
  return (
    granted ?? {
      authorization: undefined,
      client: asElasticsearchClient(house.core.elasticsearch.client.asInternalUser),
      giveBack: () => Promise.resolve(),
    }
  );
}

/** The results' templates, the collector's among them where the plugin was built with it. */
async function templates({ folder, log }: House): Promise<readonly Template[]> {
  try {
    return [...TEMPLATES, await readMetricsTemplate(path.join(folder, 'metrics-template.json'))];
  } catch (error) {
    log.warn(messageOf(error));
    return TEMPLATES;
  }
}

/** `why`: for people who look through the API keys. Rejects with a DynoError `run.key`. */
export async function becomeActor(house: House, request: KibanaRequest, why: string): Promise<Actor> {
  const { authorization, client, giveBack } = await grant(house, request, why);
  const results = house.resultsOf(client);
  const writer = createResultsWriter({
    client: results,
    spoolDir: path.join(house.dataFolder, 'spool'),
    spoolBytes: house.config.limits.spoolMegabytes * 1024 ** 2,
    templates: await templates(house),
    onProblem: (problem) => house.log.warn(describeProblem(problem)),
  });
  return {
    results,
    reader: createResultsReader(results),
    writer,
    authorization,
    async close() {
      try {
        await writer.close();
      } finally {
        await giveBack().catch((error: unknown) =>
          house.log.warn(`an API key of a run could not be invalidated: ${messageOf(error)}`),
        );
      }
    },
  };
}
