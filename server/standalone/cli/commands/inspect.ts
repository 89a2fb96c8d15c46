import { Option } from 'commander';
import { LOG_FORMATS } from '../../../../common/replay/formats/registry';
import { jsonOption } from '../options';
import { collect, wholeNumber } from '../values';
import type { Register } from '../registration';

export const inspect: Register = (dyno, { context: { console }, ends }) => {
  dyno
    .command('inspect <file>')
    .description(
      'show what recorded traffic is: kinds and shapes of requests, rate, latency, sizes, repeated reads; for a log of searches also malformed and outdated lines; changes nothing',
    )
    .addOption(
      new Option(
        '--format <format>',
        'format of a log of searches; default: detected from the first lines',
      ).choices([...LOG_FORMATS]),
    )
    .option('--type <type>', 'log of searches: only this type; repeatable', collect, [])
    .option('--every-shard', 'in slow logs, count the line of every shard as a search', false)
    .option('--rewrite', 'log of searches: rewrite searches of old versions by all rules', false)
    .option('--lines <n>', 'number of lines or requests to read; default: all', wholeNumber)
    .addOption(jsonOption())
    .action(
      ends(async (file, options) => (await import('../../commands/inspect')).inspect(file, options, console)),
    );
};
