import { Option } from 'commander';
import { PROFILE_FORMATS } from '../../../../common/measurement/profile-document';
import { PROFILE_EVENTS } from '../../../../common/profile/events';
import { withPlaces } from '../options';
import type { Register } from '../registration';

export const profile: Register = (dyno, { context: { console }, ends }) => {
  withPlaces(
    dyno
      .command('profile <run>')
      .description(
        'write the stacks of a run’s profile for other tools: FlameGraph, speedscope, Firefox Profiler',
      ),
  )
    .option(
      '--cell <number or label>',
      'cell whose stacks are written; the first cell is 0; default: the last one',
    )
    .addOption(
      new Option('--event <event>', 'what the profile counts').choices(PROFILE_EVENTS).default('cpu'),
    )
    .addOption(
      new Option('--format <format>', 'format of the file').choices(PROFILE_FORMATS).default('collapsed'),
    )
    .option('--file <file>', 'write to this file instead of standard output')
    .action(
      ends(async (id, options) =>
        (await import('../../commands/profile')).writeProfile(id, options, console),
      ),
    );
};
