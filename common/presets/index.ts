/** The published experiments that come with Dyno, by account. */
import { presets } from 'dyno:presets';
import type { Preset } from './preset';

export const PRESETS: readonly Preset[] = presets;

/** Undefined if there is none of that name. */
export const findPreset = (name: string): Preset | undefined =>
  PRESETS.find((preset) => preset.name === name);
