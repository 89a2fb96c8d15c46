/** `dyno profile`: writes the stacks of a run for other tools. */
import path from 'node:path';
import type { ProfileDocument, ProfileFormat } from '../../../common/measurement/profile-document';
import { inputError } from '../../../common/problem';
import type { ProfileEvent } from '../../../common/profile/events';
import { chooseForFile, isChosen, type ProfileHead } from '../../../common/report/model/profile';
import { renderProfile } from '../../../common/report/render/profile-file';
import { unpackProfile } from '../../results/unpacked-profile';
import { writeReport } from '../report-file';
import type { Console } from '../terminal/console';
import { findRun, isInFile, runInFile } from './reports';
import { withReader, type ResultsOptions } from './results';

export interface ProfileOptions extends ResultsOptions {
  /** Label or id of a cell, or its index in the plan. */
  cell?: string;
  event: ProfileEvent;
  format: ProfileFormat;
  file?: string;
}

/** Returns the index of a cell in the plan. Throws a DynoError `profile.no-cell` (input) if no profile is of this cell. */
function cellIndex(heads: readonly ProfileHead[], wanted: string): number {
  const cells = heads.map(({ cell }) => cell);
  const found =
    cells.find(({ id, label }) => label === wanted || id === wanted) ??
    cells.find(({ index }) => String(index) === wanted);
  if (found !== undefined) return found.index;
  const known = new Map(cells.map(({ index, label }) => [index, `${index} (${label})`]));
  throw inputError('profile.no-cell', '--cell', 'no cell with a profile has this number or label', {
    found: wanted,
    allowed: [...known.values()].join(', '),
  });
}

/** Profiles of a run, and a function that reads the chosen ones with their stacks. */
interface FoundProfiles {
  title: string;
  heads: readonly ProfileHead[];
  read(choice: Parameters<typeof isChosen>[1]): Promise<readonly ProfileDocument[]>;
}

async function write(
  { title, heads, read }: FoundProfiles,
  { cell, event, format, file }: ProfileOptions,
  console: Console,
): Promise<number> {
  const index = cell === undefined || heads.length === 0 ? undefined : cellIndex(heads, cell);
  const documents = await read(chooseForFile(heads, { cell: index, event }));
  const text = renderProfile(documents.map(unpackProfile), format, title);
  if (file === undefined) console.print(text.trimEnd());
  else {
    await writeReport(file, () => text);
    console.say(`profile: ${path.resolve(file)}`);
  }
  return 0;
}

/**
 * Executes `dyno profile`. Rejects with an input error if the run, its profile or the cell does not exist, and with the errors of
 * {@link writeReport}.
 */
export async function writeProfile(name: string, options: ProfileOptions, console: Console): Promise<number> {
  if (isInFile(name)) {
    const { run, profiles } = await runInFile(name);
    const read: FoundProfiles['read'] = (choice) =>
      Promise.resolve(profiles.filter((profile) => isChosen(profile, choice)));
    return await write({ title: run.experiment.name, heads: profiles, read }, options, console);
  }
  return await withReader(options, console, async (reader) => {
    const { run, experiment } = await findRun(reader, name);
    const heads = await reader.listProfiles(run.id);
    const read: FoundProfiles['read'] = (choice) => reader.getProfiles(run.id, choice);
    return await write({ title: experiment.name, heads, read }, options, console);
  });
}
