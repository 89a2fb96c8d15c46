import { Option } from 'commander';
import { BISECT_ENDINGS, endingOf } from '../../report-endings';
import { fromTargetOption, jsonOption, scaleOption, setOption, withTarget } from '../options';
import { filesWith, names, share, wholeNumber } from '../values';
import type { Register } from '../registration';

export const bisect: Register = (dyno, { context, ends }) => {
  withTarget(
    dyno
      .command('bisect [definitions...]')
      .description(
        'find the first bad one of several definitions, versions or runs; the good one comes first; exit code 0 found, 1 cannot decide',
      ),
  )
    .option(
      '--versions <list>',
      'versions of the embedded Elasticsearch, separated by commas, with one definition',
      names,
    )
    .option(
      '--runs <experiment>',
      'search the runs of its history, from the last good run to the run that confirmed the newest change',
    )
    .option('--good <run>', 'with --runs: the last run that is known to be good')
    .option('--bad <run>', 'with --runs: a later run that is known to be bad')
    .option('--metric <name>', 'metric, named as in claims; default: the metric of the first claim')
    .option('--cell <id or label>', 'cell, if the definitions have several')
    .option(
      '--margin <share>',
      'ignore smaller differences, such as 0.05; default: the margin of the definition',
      share,
    )
    .option('--most <n>', 'most trials of each side of a step, from 3 to 50', wholeNumber, 20)
    .option(
      '--anew',
      'measure every step again, even if an earlier bisect of the same definitions measured it',
    )
    .addOption(fromTargetOption())
    .addOption(setOption())
    .addOption(scaleOption())
    .addOption(
      new Option('--report <file>', 'write the result: .md or .json; repeatable')
        .default([])
        .argParser(filesWith((file) => endingOf(file, BISECT_ENDINGS, 'bisect'))),
    )
    .addOption(jsonOption())
    .action(
      ends(async (definitions, options) =>
        (await import('../../commands/bisect')).bisect(definitions, options, context),
      ),
    );
};
