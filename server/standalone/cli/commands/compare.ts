import { comparisonOption, withPlaces } from '../options';
import type { Register } from '../registration';

export const compare: Register = (dyno, { context: { console }, ends }) => {
  withPlaces(dyno.command('compare <runs...>').description('show two or more runs side by side'))
    .option('--baseline', "show the baseline of the first run's experiment first")
    .addOption(comparisonOption())
    .action(
      ends(async (ids, options) => {
        const [{ compareRuns }, { baselineRunOf }] = await Promise.all([
          import('../../commands/results'),
          import('../../commands/history'),
        ]);
        return compareRuns(ids, options, console, baselineRunOf);
      }),
    );
};
