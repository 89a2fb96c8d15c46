/** `dyno presets`: lists the published experiments, or prints one as a definition to edit. */
import { findPreset, PRESETS } from '../../../common/presets';
import type { Preset } from '../../../common/presets/preset';
import type { Scale } from '../../../common/presets/scale';
import { inputError } from '../../../common/problem';
import type { Console } from '../terminal/console';

export async function presets(name: string | undefined, scale: Scale, console: Console): Promise<number> {
  if (name === undefined) {
    const width = (of: (preset: Preset) => string): number =>
      Math.max(...PRESETS.map((preset) => of(preset).length));
    const [names, seeds] = [width(({ name: own }) => own), width(({ published }) => published.seed)];
    for (const { name: own, published, summary } of PRESETS)
      console.print(`${own.padEnd(names)}  ${published.seed.padEnd(seeds)}  ${summary}`);
    console.say('\nTo write one to a file: dyno presets NAME [--scale quick] > my.yml');
    return 0;
  }
  const preset = findPreset(name);
  if (!preset) {
    const allowed = PRESETS.map((known) => known.name).join(', ');
    throw inputError('command.preset', 'presets', 'there is no such preset', { found: name, allowed });
  }
  const { presetYaml } = await import('../../../common/presets/preset');
  console.print(presetYaml(preset, scale).trimEnd());
  return 0;
}
