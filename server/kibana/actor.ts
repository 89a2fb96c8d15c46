/**
 * Provides the identity with which a run accesses clusters until its end (the *actor*). It is an API key with the rights of the run's user,
 * or Kibana itself if security is disabled.
 */
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

/** The identity with which a run accesses clusters in Kibana. It is not limited to the targets of one space. */
export interface KibanaActor extends Omit<Actor, 'connect'> {
  /** Client of Kibana's own cluster. */
  own: ElasticsearchClient;
  /** Authorization header with which Kibana's own cluster is used as a target. Undefined if security is disabled. */
  authorization: string | undefined;
}

/** Kibana space of a run, and the folder of the files that the run may read. */
interface Place {
  /** Kibana space. Undefined for the default space. */
  space: string | undefined;
  /** Folder of the files that experiments may read. */
  corpora: string;
}

export const atTargets = (actor: KibanaActor, targets: Pick<KibanaTargetStore, 'connect'>): Actor => ({
  ...actor,
  connect: (id) => targets.connect(id, actor.authorization),
});

/** Permission of a run to act for its user. It is an API key, or null if security is disabled. Kibana itself then has all privileges. */
export interface Grant {
  key: Key | null;
  /** Location from which other Kibana nodes can read the key, or the reason why they cannot. Null if security is disabled. */
  shared: SharedKey | string | null;
  /** Invalidates the key after the run. Never rejects. */
  giveBack(): Promise<void>;
}

/**
 * Lifetime of a key. Usually, a key is invalidated earlier. The lifetime only matters if Kibana crashes and is never started again with the
 * same data folder.
 */
const KEY_EXPIRATION = '30d';

/**
 * Creates the API key of one run, with the rights of the user who sent the request. The key is invalidated when the run has ended.
 * `secrets`: encrypts the key for other Kibana nodes. It must belong to the same request, because Kibana can encrypt only during a request.
 * Rejects with a DynoError `run.key`.
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
  const shared = seats ? await shareKey(secrets, key) : 'the run did not request them when it began';
  return {
    key,
    shared,
    giveBack: async () => {
      if (typeof shared !== 'string') await forgetShared(kibana, secrets, shared);
      await ((await invalidateKey(kibana, key.id)) ? note.strike() : note.leave());
    },
  };
}

/**
 * Returns the permission of a run that uses a key of several runs, such as the key of a schedule. The end of the run therefore does not
 * invalidate the key. `at`: location from which other Kibana nodes read the key. Both are null if security is disabled.
 */
export const keptGrant = (key: Key | null, at: SharedKey | null): Grant => ({
  key,
  shared: at,
  giveBack: () => Promise.resolve(),
});

/**
 * Returns a client for Kibana's own cluster that sends this `authorization` header. If it is undefined, returns the client of Kibana
 * itself.
 */
export function clientOf({ core }: KibanaServices, authorization: string | undefined): ElasticsearchClient {
  const { client } = core.elasticsearch;
  return asElasticsearchClient(
    authorization === undefined
      ? client.asInternalUser
      : client.asScoped({ headers: { authorization } }).asCurrentUser,
  );
}

/**
 * Returns the index templates of the results. The template for events of Dyno's collector is missing if the build of the plugin does not
 * contain it.
 */
export async function resultsTemplates({ folder, log }: KibanaServices): Promise<readonly Template[]> {
  try {
    return [...TEMPLATES, await readMetricsTemplate(path.join(folder, 'metrics-template.json'))];
  } catch (error) {
    log.warn(messageOf(error));
    return TEMPLATES;
  }
}

/**
 * Creates the identity with which a run accesses clusters. `grant`: permission of the run. If the results cluster is unavailable,
 * invalidates the API key of the run and rejects.
 */
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
    /** Stores the pending results if possible. Then invalidates the key in any case. */
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
