/** The published experiments that come with Dyno, by account. */
import { AZURE_INGESTION } from './azure-ingestion';
import { AZURE_QUERIES } from './azure-queries';
import { BIGCOMMERCE_TENANTS } from './bigcommerce-tenants';
import { LOGSEARCH_SCALING } from './logsearch-scaling';
import type { Preset } from './preset';
import { sematextRefresh } from './sematext-refresh';

export const PRESETS: readonly Preset[] = [
  sematextRefresh,
  ...AZURE_INGESTION,
  ...AZURE_QUERIES,
  ...BIGCOMMERCE_TENANTS,
  ...LOGSEARCH_SCALING,
];

/** Undefined if there is none of that name. */
export const findPreset = (name: string): Preset | undefined =>
  PRESETS.find((preset) => preset.name === name);
