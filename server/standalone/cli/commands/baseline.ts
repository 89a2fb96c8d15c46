import { withPlaces } from '../options';
import { moment } from '../values';
import type { Register } from '../registration';

export const baseline: Register = (dyno, { context: { console }, ends }) => {
  withPlaces(
    dyno
      .command('baseline <experiment> [run]')
      .description(
        'set what the newest runs of an experiment are compared with: a run, or all runs of a version; without either, show it',
      ),
  )
    .option(
      '--version <version>',
      'all runs with it, such as 9.4.0 of Elasticsearch, or any other version or property of the run, such as "Dyno 0.2.0"',
    )
    .option('--since <time>', 'with --version: only runs from then on', moment)
    .option('--remove', 'remove the baseline')
    .action(
      ends(async (experiment, run, options) =>
        (await import('../../commands/history')).baselineCommand(experiment, run, options, console),
      ),
    );
};
