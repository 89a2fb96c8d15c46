/** Loads a definition for the command line: a file or a preset, changed by `--set`. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseValue } from '../../common/experiment/document';
import type { Definition } from '../../common/experiment/definition';
import { setAt } from '../../common/experiment/path';
import { parseDefinition, readDefinition } from '../../common/experiment/read';
import { nearest } from '../../common/near';
import { findPreset, PRESETS } from '../../common/presets';
import { presetDefinition } from '../../common/presets/preset';
import type { Scale } from '../../common/presets/scale';
import { inputError, messageOf } from '../../common/problem';
import { shownSetting } from '../../common/secrets/redact';

export interface LoadedDefinition {
  definition: Definition;
  /** Folder to which paths in the definition are relative. */
  folder: string;
}

export interface DefinitionOptions {
  set: string[];
  /** Scale of the preset. Ignored if the definition is not a preset. */
  scale?: Scale;
}

async function readText(file: string): Promise<string> {
  const unreadable = (why: string): Error => {
    const preset = nearest(
      path.parse(file).name,
      PRESETS.map(({ name }) => name),
    );
    return inputError('definition.unreadable', file, why, {
      allowed: 'a YAML or JSON file, or a preset; `dyno presets` lists the presets',
      ...(preset !== undefined && { meant: { text: preset } }),
    });
  };
  try {
    const found = await stat(file);
    // Devices are refused, because reading from a device may never end.
    if (!found.isCharacterDevice() && !found.isBlockDevice()) return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw unreadable(
      code === 'ENOENT'
        ? 'there is no such file'
        : code === 'EISDIR'
          ? 'is a folder'
          : `cannot be read: ${code ?? messageOf(error)}`,
    );
  }
  throw unreadable('is a device, not a file');
}

function applySettings(root: unknown, settings: readonly string[]): void {
  for (const setting of settings) {
    const equals = setting.indexOf('=');
    if (equals < 1)
      throw inputError('command.set', '--set', 'needs path=value', { found: shownSetting(setting) });
    const problem =
      typeof root === 'object' && root !== null && !Array.isArray(root)
        ? setAt(
            root as Record<string, unknown>,
            setting.slice(0, equals),
            parseValue(setting.slice(equals + 1)),
          )
        : 'the definition is not an object';
    if (problem !== undefined) throw inputError('command.set', `--set ${shownSetting(setting)}`, problem);
  }
}

/** Loads a definition. Rejects with an input error if the file cannot be read or the definition is invalid. */
export async function loadDefinition(
  fileOrPreset: string,
  { set, scale }: DefinitionOptions,
): Promise<LoadedDefinition> {
  const preset = findPreset(fileOrPreset);
  if (!preset && scale !== undefined) {
    throw inputError(
      'command.scale',
      '--scale',
      'only presets have scales; shorten a file with --set measure.duration=20s',
    );
  }
  const input = preset
    ? presetDefinition(preset, scale ?? 'full')
    : parseDefinition(await readText(fileOrPreset), path.basename(fileOrPreset));
  applySettings(input, set);
  return {
    definition: readDefinition(input),
    folder: preset ? process.cwd() : path.dirname(path.resolve(fileOrPreset)),
  };
}
