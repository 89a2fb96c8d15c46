/** Initial texts of new experiments. */
import { withoutTuning } from '../../../common/tuning/tuning-tags';
import { editText } from '../../../common/experiment/text/edit';
import { findPreset } from '../../../common/presets';
import { presetYaml } from '../../../common/presets/preset';
import type { Scale } from '../../../common/presets/scale';
import { valuesOf } from './model';

const BLANK = `# What you believe, in a sentence, and as claims that the trials can test.
version: 1
name: New experiment
hypothesis: A longer refresh interval raises indexing throughput
expect:
  - ingest.throughput rises with index.settings.refresh_interval

# The cluster under test.
target: local

# Each trial gets a fresh index of this kind.
index:
  settings: { number_of_shards: 1, number_of_replicas: 0 }

# The work: streams of bulks or searches, side by side.
tasks:
  - name: ingest
    ingest:
      source: { generator: apache-logs }
      bulk: { docs: 1000 }
    executor: { constant-clients: { clients: 2 } }

# What is varied. Every combination of levels is a cell, and every cell is tried several times.
factors:
  index.settings.refresh_interval: [1s, 30s]

measure: { warmup: 10s, duration: 1m }
trials: 3
`;

export const blankText = (): string => BLANK;

/** Returns the text of a preset; undefined for an unknown name. */
export function presetText(name: string, scale: Scale): string | undefined {
  const preset = findPreset(name);
  return preset && presetYaml(preset, scale);
}

/**
 * Returns the text of a copy with a new name. The copy has no schedule, because otherwise both experiments would run. It has no tags of a
 * tuning, because a tuning did not create it.
 */
export function copyText(text: string): string {
  const { name, tags } = valuesOf(text) ?? {};
  const kept = Array.isArray(tags) ? withoutTuning(tags.map(String)) : undefined;
  return editText(text, [
    { path: ['name'], value: `${typeof name === 'string' ? name : ''} (copy)`.trim() },
    { path: ['schedule'], remove: true },
    ...(kept === undefined || kept.length === (tags as unknown[]).length
      ? []
      : [kept.length === 0 ? { path: ['tags'], remove: true as const } : { path: ['tags'], value: kept }]),
  ]);
}
