/** As whom a run acts, from its beginning to its end: an API key that its user granted, or Kibana where there are no users. */
import path from 'node:path';
import { describeProblem, messageOf } from '../../common/problem';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { createResultsReader } from '../results/reader';
import { readMetricsTemplate } from '../results/metrics-template';
import { TEMPLATES, type Template } from '../results/templates';
import { createResultsWriter } from '../results/writer';
import type { Actor, Purpose } from '../run/queue/queue';
import { identifyCluster } from '../target-cluster/cluster';
import { asElasticsearchClient } from './elasticsearch';
import type { KibanaServices } from './kibana-services';
import { authorizationOfKey, grantKey, invalidateKey, type Key } from './keys';
import { noteKey } from './orphaned-keys';
import type { KibanaRequest } from './sdk';
import { seatRecruiter } from './seats/recruitment';
import { forgetShared, shareKey, type SharedKey } from './seats/shared-key';
import type { Secrets } from './secrets';
import { spoolFolder } from './spool';
import type { KibanaTargetStore } from './targets';

/** An actor before it knows the targets of a space. */
export interface KibanaActor extends Omit<Actor, 'connect'> {
  /** Kibana's own cluster. */
  own: ElasticsearchClient;
  /** For Kibana's own cluster as a target; undefined without security. */
  authorization: string | undefined;
}

/** Where it acts. */
interface Place {
  /** Kibana's space; undefined for the default one. */
  space: string | undefined;
  /** Folder of the files that experiments may read. */
  corpora: string;
}

export const atTargets = (actor: KibanaActor, targets: Pick<KibanaTargetStore, 'connect'>): Actor => ({
  ...actor,
  connect: (id) => targets.connect(id, actor.authorization),
});

/** By what a run acts: a key of its user's, or null where there is no security and Kibana itself may do everything. */
export interface Grant {
  key: Key | null;
  /** Where other nodes of Kibana find the key, or why they cannot; null where there is no security. */
  shared: SharedKey | string | null;
  /** Never rejects. */
  giveBack(): Promise<void>;
}

/** A key outlives its run when Kibana dies before it can be given back, and never starts again with the same data. */
const KEY_EXPIRATION = '30d';

/**
 * Granted for one run by the user of the request, and invalidated when it has ended; `secrets`: of that user, whose requests
 * alone are encrypted. Rejects with a DynoError `run.key`.
 */
export async function grantForRun(
  kibana: KibanaServices,
  request: KibanaRequest,
  secrets: Secrets,
  { why, seats }: Purpose,
): Promise<Grant> {
  const key = await grantKey(kibana, request, why, KEY_EXPIRATION);
  if (!key) return { key, shared: null, giveBack: () => Promise.resolve() };
  const note = await noteKey(kibana, key.id);
  const shared = seats ? await shareKey(secrets, key) : 'the run did not ask for them when it began';
  return {
    key,
    shared,
    giveBack: async () => {
      if (typeof shared !== 'string') await forgetShared(kibana, secrets, shared);
      await ((await invalidateKey(kibana, key.id)) ? note.strike() : note.leave());
    },
  };
}

/** A key that is kept beyond the run, at a place that other nodes can read too. */
export const keptGrant = (key: Key | null, at: SharedKey | null): Grant => ({
  key,
  shared: at,
  giveBack: () => Promise.resolve(),
});

/** As whoever the authorization names; as Kibana itself without. */
export function clientOf({ core }: KibanaServices, authorization: string | undefined): ElasticsearchClient {
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
export async function becomeActor(kibana: KibanaServices, grant: Grant, place: Place): Promise<KibanaActor> {
  try {
    return await actingBy(kibana, grant, place);
  } catch (error) {
    await grant.giveBack();
    throw error;
  }
}

async function actingBy(
  kibana: KibanaServices,
  { key, shared, giveBack }: Grant,
  { space, corpora }: Place,
): Promise<KibanaActor> {
  const authorization = key ? authorizationOfKey(key) : undefined;
  const own = clientOf(kibana, authorization);
  const results = kibana.resultsOf(own);
  const { uuid } = await identifyCluster(results);
  const writer = createResultsWriter({
    client: results,
    spoolDir: spoolFolder(kibana, uuid),
    spoolBytes: kibana.config.limits.spoolMegabytes * 1024 ** 2,
    templates: await resultsTemplates(kibana),
    onProblem: (problem) => kibana.log.warn(describeProblem(problem)),
  });
  return {
    own,
    results,
    resultsUuid: uuid,
    reader: createResultsReader(results),
    writer,
    space,
    folder: corpora,
    authorization,
    recruitSeats: seatRecruiter({ kibana, shared, space }),
    /** Writes what it can, and gives the key back. */
    async close() {
      try {
        await writer.close();
      } catch (error) {
        kibana.log.warn(`results of a run were not written: ${messageOf(error)}`);
      } finally {
        await giveBack();
      }
    },
  };
}
