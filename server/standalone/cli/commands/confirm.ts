import { fromTargetOption, reportOption, withTarget } from '../options';
import type { Register } from '../registration';

export const confirm: Register = (dyno, { context, ends }) => {
  withTarget(
    dyno
      .command('confirm <experiment>')
      .description(
        'test a change in the history: run the definitions from before and after it, alternating; exit code 0 confirmed, 1 not confirmed',
      ),
  )
    .option('--metric <name>', 'metric that changed; default: the one with the newest change for the worse')
    .option('--cell <id or label>', 'cell in which it changed')
    .option('--since <run or day>', 'first run after the change')
    .option('--show', 'print the definition, and run nothing')
    .addOption(fromTargetOption())
    .addOption(reportOption())
    .action(
      ends(async (experiment, options) =>
        (await import('../../commands/confirm')).confirm(experiment, options, context),
      ),
    );
};
