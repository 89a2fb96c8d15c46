import { WEBHOOK_SETTING } from '../../webhook-setting';
import { jsonOption, visibleToOthers, withPlaces, withSeries } from '../options';
import { moment } from '../values';
import type { Register } from '../registration';

export const watch: Register = (dyno, { context: { console }, ends }) => {
  withSeries(
    withPlaces(
      dyno
        .command('watch <experiment>')
        .description(
          'detect regressions in the history of an experiment; exit code 0 no regression, 1 a confirmed one, 4 undecided',
        ),
    ),
  )
    .option('--since <time>', 'accept changes of runs before it', moment)
    .option('--against-baseline', 'also fail if a series is worse than the baseline by more than the margin')
    .option('--junit <file>', 'write the result as JUnit XML')
    .option('--markdown <file>', 'write the result as Markdown, for a pull request')
    .option(
      '--webhook [url]',
      `POST JSON to this URL if the newest run confirmed a change; default: the address in ${WEBHOOK_SETTING}; ${visibleToOthers(WEBHOOK_SETTING)}`,
    )
    .addOption(jsonOption())
    .action(
      ends(async (experiment, options) =>
        (await import('../../commands/history')).watchExperiment(experiment, options, console),
      ),
    );
};
