/** The published experiments that come with Dyno. */
import { azureRefresh, azureReplicas, azureShards, azureShards9 } from './azure-ingestion';
import type { Preset } from './preset';
import { sematextRefresh } from './sematext-refresh';

export const PRESETS: readonly Preset[] = [
  sematextRefresh,
  azureRefresh,
  azureReplicas,
  azureShards,
  azureShards9,
];

/** Undefined if there is none of that name. */
export const findPreset = (name: string): Preset | undefined =>
  PRESETS.find((preset) => preset.name === name);
