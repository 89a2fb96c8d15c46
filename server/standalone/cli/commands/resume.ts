import { failuresOption, fromTargetOption, reportOption, withTarget } from '../options';
import type { Register } from '../registration';

export const resume: Register = (dyno, { context, ends }) => {
  withTarget(
    dyno
      .command('resume <run>')
      .description('resume a run that was interrupted or waits for its next environment'),
  )
    .addOption(fromTargetOption())
    .addOption(reportOption())
    .addOption(failuresOption())
    .action(ends(async (id, options) => (await import('../../commands/run')).resume(id, options, context)));
};
