import { jsonOption, withPlaces } from '../options';
import { collect, ratePerSecond } from '../values';
import type { Register } from '../registration';

export const capacity: Register = (dyno, { context: { console }, ends }) => {
  withPlaces(
    dyno
      .command('capacity <run>')
      .description(
        'estimate how many nodes, clients or shards a rate needs, from the scalability law of a run',
      ),
  )
    .requiredOption('--rate <per second>', 'documents, searches or transactions per second', ratePerSecond)
    .option('--limit <condition>', 'an upper limit, such as "ingest.p95 < 200ms"; repeatable', collect, [])
    .option('--task <name>', 'task with this rate; default: every task')
    .option('--factor <path>', 'what to count; default: every factor with a scalability law')
    .addOption(jsonOption())
    .action(
      ends(async (id, options) =>
        (await import('../../commands/results')).showCapacity(id, options, console),
      ),
    );
};
