import {
  environmentOption,
  failuresOption,
  fromTargetOption,
  reportOption,
  scaleOption,
  setOption,
  withTarget,
} from '../options';
import { wholeNumber } from '../values';
import type { Register } from '../registration';

export const run: Register = (dyno, { context, ends }) => {
  withTarget(
    dyno.command('run <file>').description('run an experiment: a definition file or the name of a preset'),
  )
    .option(
      '--seats <n>',
      'number of machines that generate the load, each with `dyno worker` (load.seats)',
      wholeNumber,
    )
    .addOption(fromTargetOption())
    .addOption(setOption())
    .addOption(scaleOption())
    .addOption(environmentOption())
    .addOption(reportOption())
    .addOption(failuresOption())
    .action(ends(async (file, options) => (await import('../../commands/run')).run(file, options, context)));
};
