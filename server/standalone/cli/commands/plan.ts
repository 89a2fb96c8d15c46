import { environmentOption, scaleOption, setOption, withPlaces } from '../options';
import type { Register } from '../registration';

export const plan: Register = (dyno, { context: { console }, ends }) => {
  withPlaces(
    dyno
      .command('plan <file>')
      .description(
        'show cells, order, estimated time and documents, and how many trials are needed; runs nothing',
      ),
  )
    .option('--noise-of <run>', 'an earlier run; the number of trials is estimated from its noise')
    .addOption(setOption())
    .addOption(scaleOption())
    .addOption(environmentOption())
    .action(
      ends(async (file, options) => (await import('../../commands/plan')).showPlan(file, options, console)),
    );
};
