import { keepSamplesOption, withTarget } from '../options';
import { listeningPort } from '../values';
import type { Register } from '../registration';

export const start: Register = (dyno, { context, ends }) => {
  withTarget(
    dyno
      .command('start')
      .description('serve Dyno in the browser, pages and HTTP interface, until interrupted'),
  )
    .option('--port <p>', 'port; default: 5605; 0 takes a free one', listeningPort)
    .option('--host <address>', 'address; default: 127.0.0.1; any other needs DYNO_PASSWORD')
    .addOption(keepSamplesOption())
    .action(ends(async (options) => (await import('../../commands/serve')).serve(options, context)));
};
