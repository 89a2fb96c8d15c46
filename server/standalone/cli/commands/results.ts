import { jsonOption, keepSamplesOption, withPlaces } from '../options';
import type { Register } from '../registration';

export const results: Register = (dyno, { context: { console, metricsTemplateFile, version }, ends }) => {
  const results = dyno
    .command('results')
    .description('move runs to another results cluster in files, and remove old samples');
  withPlaces(
    results
      .command('export [runs...]')
      .description('write runs with everything stored about them to one file'),
  )
    .requiredOption('--file <file>', 'the file, such as runs.dyno-runs.gz')
    .option('--experiment <experiment>', 'all runs of an experiment that have ended, by its id or name')
    .action(
      ends(async (ids, options) =>
        (await import('../../commands/run-files')).exportFile(ids, options, version, console),
      ),
    );
  withPlaces(
    results
      .command('import <files...>')
      .description(
        'store the runs of such files, and results that Dyno wrote to a file because it could not store them',
      ),
  )
    .option('--replace', 'replace stored runs that have different contents')
    .action(
      ends(async (files, options) =>
        (await import('../../commands/run-files')).importFiles(files, options, metricsTemplateFile, console),
      ),
    );
  withPlaces(
    results
      .command('retention')
      .description(
        'remove the samples of old runs; runs, trials and histories stay, and so do the samples of baselines',
      ),
  )
    .addOption(keepSamplesOption())
    .option('--dry-run', 'list what would be removed, and remove nothing')
    .addOption(jsonOption())
    .action(
      ends(async (options) => (await import('../../commands/retention')).applyRetention(options, console)),
    );
};
