/** Every experiment of the account `azure-ingestion`, in its order, then those that it advises without figures. */
import type { Preset } from '../preset';
import { azureBulkSize } from './bulk-size';
import { azureClients } from './clients';
import { azureDisks } from './disks';
import { azureDocuments } from './documents';
import { azureRefresh } from './refresh';
import { azureReplicas } from './replicas';
import { azureScaleOut } from './scale-out';
import { azureScaleUp, azureScaleUpWindows } from './scale-up';
import { azureShards, azureShards3, azureShards9 } from './shards';
import { azureSystems } from './systems';

export const AZURE_INGESTION: readonly Preset[] = [
  azureRefresh,
  azureReplicas,
  azureScaleUp,
  azureDisks,
  azureScaleUpWindows,
  azureSystems,
  azureShards3,
  azureShards,
  azureShards9,
  azureScaleOut,
  azureDocuments,
  azureBulkSize,
  azureClients,
];
