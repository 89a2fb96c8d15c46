import { Option } from 'commander';
import { LOG_FORMATS } from '../../../../common/replay/formats/registry';
import { collect, wholeNumber } from '../values';
import type { Register } from '../registration';

export const inspect: Register = (dyno, { context: { console }, ends }) => {
  dyno
    .command('inspect <log>')
    .description(
      'show the contents of a log of searches: types, pace, malformed and outdated lines; changes nothing',
    )
    .addOption(
      new Option('--format <format>', 'format of the lines; default: detected from the first ones').choices([
        ...LOG_FORMATS,
      ]),
    )
    .option('--type <type>', 'only this type; repeatable', collect, [])
    .option('--every-shard', 'in slow logs, count the line of every shard as a search', false)
    .option('--rewrite', 'rewrite searches of old versions by all rules', false)
    .option('--lines <n>', 'number of lines to read; default: all', wholeNumber)
    .action(
      ends(async (file, options) => (await import('../../commands/inspect')).inspect(file, options, console)),
    );
};
