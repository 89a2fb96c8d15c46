import { jsonOption, withPlaces, withSeries } from '../options';
import { moment } from '../values';
import type { Register } from '../registration';

export const history: Register = (dyno, { context: { console }, ends }) => {
  withSeries(
    withPlaces(
      dyno
        .command('history <experiment>')
        .description(
          'show how the metrics of an experiment changed over its runs; takes an id or the whole name',
        ),
    ),
  )
    .option('--from <time>', 'only runs that began then or later', moment)
    .option('--to <time>', 'only runs that began then or before', moment)
    .option('--csv', 'print CSV on standard output, one row for each run and series')
    .addOption(jsonOption())
    .option('--note <text>', 'add a note, and show nothing')
    .option('--at <run or time>', 'what the note is about; default: the newest run')
    .action(
      ends(async (experiment, options) =>
        (await import('../../commands/history')).showHistory(experiment, options, console),
      ),
    );
};
