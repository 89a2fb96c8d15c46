/** A preset: a published experiment with its definition, its short form and its published figures. The short form takes only minutes. */
import { setAt } from '../experiment/path';
import { formatYaml } from '../experiment/document';
import type { DefinitionInput } from '../experiment/definition';
import { inputError } from '../problem';
import type { Published } from './published';
import type { Scale } from './scale';

export interface Preset {
  name: string;
  /** Description of the preset in one line, for lists of presets. */
  summary: string;
  definition: DefinitionInput;
  /**
   * Changes that turn the definition into the short form. The key is a path in the definition, the value is the new value. The short form
   * has the same factors, but shorter phases.
   */
  quick: Record<string, unknown>;
  published: Published;
}

/** Returns the preset's definition, with the preset's name. Throws a DynoError (`input`) if a path in `quick` does not exist. */
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

/**
 * Returns whether the preset replays a log or recorded requests that the user must provide. The user must enter the file and the index
 * before the preset can run.
 */
export const needsYourFile = ({ definition }: Pick<Preset, 'definition'>): boolean =>
  definition.tasks.some(({ replay }) => replay?.file !== undefined);

/** Returns the preset as YAML that users can edit. Comments at the top contain its source and notes. */
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
