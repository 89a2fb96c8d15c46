/**
 * Compares the effective settings of the engines in a run. Engines have different defaults, and no experiment can make all settings equal.
 */
import { byEnvironment } from '../../analysis/environments';
import { aboutSetting, differingSettings, type EffectiveSettings } from '../../elasticsearch/defaults';
import { engineWithVersion } from '../../elasticsearch/engine';
import { requestedCluster } from '../../experiment/requested-cluster';
import type { ResolvedCell } from '../../experiment/resolved-cells';
import type { Provenance } from '../../experiment/run';
import type { ReportEngineDefaults } from './report';

/**
 * Returns the names of settings that the definition sets for at least one combination of factor levels. If engines differ in such a
 * setting, their defaults are not the reason.
 */
const settingsOf = (cells: readonly ResolvedCell[]): ReadonlySet<string> =>
  new Set(
    cells.flatMap(({ definition: { index, cluster, environment } }) => [
      ...Object.keys(index.settings).map((name) => `index.${name}`),
      ...Object.keys(cluster.settings),
      ...Object.keys(requestedCluster(environment).settings ?? {}),
    ]),
  );

/**
 * Returns the settings with different defaults. Leaves out settings that the definition sets. Null for runs with a single engine and
 * version, and if the settings were not stored or do not differ.
 */
export function buildEngineDefaults(
  provenance: Provenance | null,
  cells: readonly ResolvedCell[],
): ReportEngineDefaults | null {
  const found = new Map<string, EffectiveSettings>();
  for (const { cluster, effective } of byEnvironment(provenance).flat()) {
    const engine = engineWithVersion(cluster);
    if (effective !== undefined && !found.has(engine)) found.set(engine, effective);
  }
  if (found.size < 2) return null;
  const isSet = settingsOf(cells);
  const settings = differingSettings([...found.values()])
    .filter(({ name }) => !isSet.has(name))
    .map((setting) => ({ ...setting, about: aboutSetting(setting.name) }));
  return settings.length === 0 ? null : { engines: [...found.keys()], settings };
}
