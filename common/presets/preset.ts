/** A published experiment, ready to run: its definition, its short form and the figures that were printed. */
import { setAt } from '../experiment/path';
import { formatYaml } from '../experiment/document';
import type { DefinitionInput } from '../experiment/definition';
import { inputError } from '../problem';
import type { Published } from './published';
import type { Scale } from './scale';

export interface Preset {
  name: string;
  /** One line for the list. */
  summary: string;
  definition: DefinitionInput;
  /** Paths and values that make the short form: same factors, shorter measure. */
  quick: Record<string, unknown>;
  published: Published;
}

/** The preset's definition, as it may be written, marked with the preset's name. Throws a DynoError (`input`) where a path of `quick` leads nowhere. */
export function presetDefinition({ name, definition, quick }: Preset, scale: Scale): DefinitionInput {
  const result = structuredClone({ ...definition, preset: name });
  if (scale === 'quick') {
    for (const [path, value] of Object.entries(quick)) {
      const problem = setAt(result as unknown as Record<string, unknown>, path, value);
      if (problem !== undefined) throw inputError('preset.quick', path, problem);
    }
  }
  return result;
}

/** The preset as a file to edit, its source and caveats as comments on top. */
export function presetYaml(preset: Preset, scale: Scale): string {
  const { published } = preset;
  const comments = [
    `${preset.summary}.`,
    published.own
      ? 'An experiment of Dyno’s own: it follows no account, and no figures of it were published.'
      : `After "${published.title}" (${published.seed})${published.url === undefined ? '.' : `, ${published.url}`}`,
    ...published.conditions,
    ...(published.rows.length === 0 ? [] : [`Measured: ${published.repeated}.`]),
    ...published.notes.map((note) => `Note: ${note}`),
    ...published.changes.map((change) => `Changed: ${change}`),
    ...(scale === 'quick' ? ['Short form: the same factors, measured for seconds instead of hours.'] : []),
  ];
  return `${comments.map((line) => `# ${line}`).join('\n')}\n${formatYaml(presetDefinition(preset, scale))}`;
}
