/**
 * Facts about a target, such as its number of nodes. From them, Dyno concludes before a run what an experiment cannot measure on the
 * target.
 */
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { KnownTarget } from '../../../common/analysis/cannot-show';
import type { TargetFacts } from '../../../common/api/targets';
import { dataNodesAmong } from '../../../common/elasticsearch/roles';
import type { ApiClient } from '../../api/client';
import { apiQuery, useApi } from '../../api/queries';
import { useApp } from '../../app/context';

/** Maximum time to wait for the response of a target, in ms. After this time, its facts count as unknown. */
const PATIENCE_MS = 3000;

const knownOf = (startsClusters: boolean, facts: TargetFacts | undefined): KnownTarget => ({
  startsClusters,
  dataNodes: dataNodesAmong(facts?.nodes ?? []),
  ...(facts && { runsScripts: facts.missing.every(({ module }) => module !== 'lang-painless') }),
});

async function factsOf(
  client: ApiClient,
  queries: QueryClient,
  id: string,
): Promise<TargetFacts | undefined> {
  const tooLate = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS));
  const asked = queries.fetchQuery(apiQuery(client, 'inspectTarget', { params: { id } }));
  return await Promise.race([asked, tooLate]).catch(() => undefined);
}

/**
 * Returns a function that reads the facts about a target once, before a run. The function never rejects: facts that cannot be read count as
 * unknown.
 */
export function useAskTarget(): (id: string) => Promise<KnownTarget> {
  const { client } = useApp();
  const queries = useQueryClient();
  const { data: status } = useApi('getStatus', {});
  return async (id) => knownOf(status?.startsClustersOf === id, await factsOf(client, queries, id));
}

/** Returns the facts about a target. They are requested again when `id` changes, for example while the user edits a definition. */
export function useKnownTarget(id: string): KnownTarget {
  const { data: status } = useApi('getStatus', {});
  const { data } = useApi('inspectTarget', { params: { id } }, { keep: true });
  return knownOf(status?.startsClustersOf === id, data);
}
