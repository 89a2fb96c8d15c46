import { Option } from 'commander';
import { CONCESSIONS, GOALS } from '../../../../common/tuning/choices';
import { fromTargetOption, jsonOption, setOption, withTarget } from '../options';
import { collect, positiveNumber, wholeNumber } from '../values';
import type { Register } from '../registration';

export const tune: Register = (dyno, { context, ends }) => {
  withTarget(
    dyno
      .command('tune [index]')
      .description(
        'run experiments within a time to find better settings for an index of the target, or for a definition',
      ),
  )
    .option('--definition <file>', 'a definition with the current settings, instead of an index')
    .addOption(fromTargetOption())
    .addOption(new Option('--goal <goal>', 'what to improve').choices([...GOALS]).default('throughput'))
    .option(
      '--limit <limit>',
      'what must not become worse, such as "queries.latency.p95 at most +10%"; default: the usual limits of the goal; repeatable',
      collect,
      [],
    )
    .option('--no-limits', 'set no limits')
    .option('--time <duration>', 'time for all experiments together', '30m')
    .option('--trial <duration>', 'how long to measure each trial; default: depends on --time')
    .option('--freshness <duration>', 'longest time until a search finds a new document', '30s')
    .addOption(
      new Option('--allow <what>', 'what may be given up; repeatable')
        .choices([...CONCESSIONS])
        .default([])
        .argParser(collect),
    )
    .option(
      '--price <amount>',
      'price of the cluster per hour, for --goal cost; default: environment.price',
      positiveNumber,
    )
    .option('--gigabyte-month <amount>', 'price of one gigabyte per month; every copy counts', positiveNumber)
    .option('--months <n>', 'how long documents are kept, in months', positiveNumber)
    .option('--documents <n>', 'most documents in the sample of an index', wholeNumber, 2000)
    .option('--search [body]', 'search an index during indexing: for its newest documents, or with this body')
    .option('--plan-only', 'show the experiments and their duration; run nothing')
    .option('--resume <id>', 'resume an interrupted tuning')
    .option('--delete <id>', 'delete a tuning and its sample of documents')
    .option('--runs', 'with --delete: also delete its experiments and runs with all their results')
    .option('--yes', 'with --delete: do not ask for confirmation')
    .addOption(jsonOption())
    .addOption(setOption())
    .action(
      ends(async (index, options) => (await import('../../commands/tune')).tune(index, options, context)),
    );
};
