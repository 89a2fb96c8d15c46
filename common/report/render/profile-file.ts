/** Writes the stacks of a profile in formats that other tools read. */
import { stringifyPlain } from '../../json/exact';
import type { ProfileFormat } from '../../measurement/profile-document';
import { firefoxProfile } from '../../profile/firefox';
import { mergeStacks, toText } from '../../profile/stacks';
import type { TrialProfile } from '../model/profile';

/**
 * Returns the text of a file with the added stacks of these trials: at least one, and all of the same event. `title`: name of the profile in
 * the Firefox Profiler.
 */
export function renderProfile(trials: readonly TrialProfile[], format: ProfileFormat, title: string): string {
  const stacks = mergeStacks(trials.map((trial) => trial.stacks));
  if (format === 'collapsed') return toText(stacks);
  const { '@timestamp': started, unit } = trials[0]!;
  return stringifyPlain(firefoxProfile(stacks, { title, started, unit }));
}
