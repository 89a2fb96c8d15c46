import { Option } from 'commander';
import { RESULTS_VISIBLE, TARGET_VISIBLE, withPlaces } from '../options';
import { machineLabel } from '../values';
import type { Register } from '../registration';

export const worker: Register = (dyno, { context, ends }) => {
  withPlaces(
    dyno
      .command('worker')
      .description(
        'let this machine generate load for runs that need several machines (load.seats), until interrupted',
      ),
  )
    .option(
      '--join <url>',
      `cluster that stores the results of the runs; same as --results; ${RESULTS_VISIBLE}`,
    )
    .option(
      '--elasticsearch <url>',
      `a target with a user and a password, if DYNO_TARGET_API_KEY is not used; ${TARGET_VISIBLE}`,
    )
    .option('--run <id>', 'work only for this run')
    .option('--once', 'end after the first run')
    .addOption(
      new Option('--label <name=value>', 'label of this machine, such as zone=a; repeatable')
        .default([])
        .argParser(machineLabel),
    )
    .action(ends(async (options) => (await import('../../commands/worker')).workerCommand(options, context)));
};
