/** Initial texts of new experiments. */
import { withoutTuning } from '../../../common/tuning/tuning-tags';
import { editText } from '../../../common/experiment/text/edit';
import { findPreset } from '../../../common/presets';
import { presetYaml } from '../../../common/presets/preset';
import { isTraffic } from '../../../common/tasks/replay';
import { isTrafficFormat } from '../../../common/traffic/job';
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
 * Longest duration of the measured phase in a new definition that replays traffic, in s. The user can change the duration in the
 * definition.
 */
const LONGEST_REPLAY_S = 600;

/**
 * Returns the text of an experiment that replays a file of recorded traffic. `format`: format of the file; null if unknown. `lastsMs`:
 * duration of the recording; null if unknown.
 */
export function trafficText(
  file: string,
  { target, format, lastsMs }: { target: string; format: string | null; lastsMs: number | null },
): string {
  const written = format === 'dyno' ? 'traffic' : format;
  const lastsS = lastsMs === null ? Infinity : Math.floor(lastsMs / 1000);
  const warmup = lastsS > 60 ? 10 : 0;
  const duration = Math.max(1, Math.min(LONGEST_REPLAY_S, lastsS - warmup));
  return editText(REPLAY, [
    { path: ['name'], value: `Replay of ${file.replace(/^.*\//, '').replace(/(\.traffic)?(\.gz)?$/, '')}` },
    { path: ['target'], value: target },
    { path: ['tasks', 0, 'replay', 'file'], value: file },
    // A definition must name the format if the name of the file does not show it.
    ...(isTrafficFormat(written) && !isTraffic({ file })
      ? [{ path: ['tasks', 0, 'replay', 'format'], value: written }]
      : []),
    { path: ['measure', 'warmup'], value: `${warmup}s` },
    { path: ['measure', 'duration'], value: `${duration}s` },
  ]);
}

const REPLAY = `version: 1
name: Replay

# The cluster under test. Each trial replays the traffic on a fresh index.
target: local
index:
  settings: { number_of_shards: 1, number_of_replicas: 0 }

# The recorded requests, at the recorded pace. A speed of 2 is twice as fast.
tasks:
  - name: traffic
    replay: { file: recorded.traffic.gz }
    executor: { recorded: { speed: 1 } }

# To compare two set-ups, vary a setting here.
# factors:
#   index.settings.number_of_shards: [1, 3]

measure: { warmup: 10s, duration: 5m }
trials: 3
`;

/**
 * Returns the text of a copy of an experiment with a new name. The copy has no schedule, so that scheduled runs are not executed twice.
 * Tags that an automatic tuning added are removed, because the copy does not belong to the tuning.
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
