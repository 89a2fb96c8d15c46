import { Option } from 'commander';
import { fromTargetOption, reportOption, withTarget } from '../options';
import type { Register } from '../registration';

export const why: Register = (dyno, { context, ends }) => {
  withTarget(
    dyno
      .command('why <run>')
      .description(
        'find out why two cells of a run differ: repeat them in a few short trials with a profile of the nodes',
      ),
  )
    .option(
      '--cell <id or label>',
      'cell to explain; default: the last cell of the effect that the report shows',
    )
    .option(
      '--against <id or label>',
      'cell with which it is compared; default: the first cell of the effect',
    )
    .addOption(
      new Option(
        '--profile <source>',
        'how the nodes are profiled; default: profiler on nodes that Dyno starts, otherwise hot-threads',
      ).choices(['hot-threads', 'profiler'] as const),
    )
    .option('--show', 'print the definition, and run nothing')
    .addOption(fromTargetOption())
    .addOption(reportOption())
    .action(ends(async (run, options) => (await import('../../commands/why')).why(run, options, context)));
};
