/** Every experiment of the account `azure-queries`, in its order: each beside ingestion, then with queries alone. */
import type { Preset } from '../preset';
import { azureQueriesMixedCache, azureQueriesOnlyCache } from './cache';
import { azureQueriesMixedDisks, azureQueriesOnlyDisks } from './disks';
import { azureQueriesMixedDocValues, azureQueriesOnlyDocValues } from './doc-values';
import { azureQueriesMixedReplicas, azureQueriesOnlyReplicas } from './replicas';
import { azureQueriesMixedScaleOut, azureQueriesOnlyScaleOut } from './scale-out';
import { azureQueriesMixedScaleUp, azureQueriesOnlyScaleUp } from './scale-up';
import { azureQueriesMixedShards, azureQueriesOnlyShards } from './shards';

export const AZURE_QUERIES: readonly Preset[] = [
  azureQueriesMixedDisks,
  azureQueriesOnlyDisks,
  azureQueriesMixedScaleUp,
  azureQueriesOnlyScaleUp,
  azureQueriesMixedScaleOut,
  azureQueriesOnlyScaleOut,
  azureQueriesMixedReplicas,
  azureQueriesOnlyReplicas,
  azureQueriesMixedDocValues,
  azureQueriesOnlyDocValues,
  azureQueriesMixedCache,
  azureQueriesOnlyCache,
  azureQueriesMixedShards,
  azureQueriesOnlyShards,
];
