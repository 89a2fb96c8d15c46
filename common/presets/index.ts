/** The presets that come with Dyno, grouped by published benchmark. */
import { presets } from 'dyno:presets';
import type { Preset } from './preset';
import type { Published } from './published';

export const PRESETS: readonly Preset[] = presets;

/** Returns the preset with this name; undefined if it does not exist. */
export const findPreset = (name: string): Preset | undefined =>
  PRESETS.find((preset) => preset.name === name);

/** Returns the published benchmark of an experiment's preset; null if the experiment has no preset. */
export const publishedOf = ({ preset }: { preset: string | null }): Published | null =>
  findPreset(preset ?? '')?.published ?? null;
