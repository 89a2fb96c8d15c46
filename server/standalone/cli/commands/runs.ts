import { withPlaces } from '../options';
import { wholeNumber } from '../values';
import type { Register } from '../registration';

export const runs: Register = (dyno, { context: { console }, ends }) => {
  withPlaces(dyno.command('runs').description('list the stored runs'))
    .option('--limit <n>', 'most runs to list', wholeNumber, 20)
    .action(ends(async (options) => (await import('../../commands/results')).listRuns(options, console)));
};
