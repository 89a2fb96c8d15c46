/** The published experiments that come with Dyno, by account. */
import { presets } from 'dyno:presets';
import type { Preset } from './preset';
import type { Published } from './published';

export const PRESETS: readonly Preset[] = presets;

/** Undefined if there is none of that name. */
export const findPreset = (name: string): Preset | undefined =>
  PRESETS.find((preset) => preset.name === name);

/** The figures of the account that an experiment came from, by its preset; null where it came from none. */
export const publishedOf = ({ preset }: { preset: string | null }): Published | null =>
  findPreset(preset ?? '')?.published ?? null;
