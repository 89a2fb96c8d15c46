/** Compares the effective settings of the engines in a run. No experiment can make all of them equal. */
import { byEnvironment } from '../../analysis/environments';
import { aboutSetting, differingSettings, type EffectiveSettings } from '../../elasticsearch/defaults';
import { engineWithVersion } from '../../elasticsearch/engine';
import type { Provenance } from '../../experiment/run';
import type { ReportEngineDefaults } from './report';

/**
 * Returns the settings that differ. Null for runs without several engines or versions, and if their settings were not stored or are equal.
 */
export function buildEngineDefaults(provenance: Provenance | null): ReportEngineDefaults | null {
  const found = new Map<string, EffectiveSettings>();
  for (const { cluster, effective } of byEnvironment(provenance).flat()) {
    const engine = engineWithVersion(cluster);
    if (effective !== undefined && !found.has(engine)) found.set(engine, effective);
  }
  if (found.size < 2) return null;
  const settings = differingSettings([...found.values()]).map((setting) => ({
    ...setting,
    about: aboutSetting(setting.name),
  }));
  return settings.length === 0 ? null : { engines: [...found.keys()], settings };
}
