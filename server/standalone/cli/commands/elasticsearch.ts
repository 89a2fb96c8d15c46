import { distributionOption, withCollector } from '../options';
import { nodeAttribute, portNumber, wholeNumber } from '../values';
import type { Register } from '../registration';

export const elasticsearch: Register = (dyno, { context, ends }) => {
  withCollector(
    dyno
      .command('elasticsearch')
      .description('start only the embedded Elasticsearch and its collector, until interrupted'),
  )
    .option('--nodes <n>', 'number of nodes', wholeNumber, 1)
    .option('--port <p>', 'HTTP port of the first node', portNumber)
    .option('--heap <size>', 'heap of each node, such as 1g')
    .option('--attribute <name=value,...>', 'node.attr.NAME of the nodes, the values in turn', nodeAttribute)
    .option('--data <folder>', 'its data folder')
    .addOption(distributionOption())
    .action(
      ends(async (options) =>
        (await import('../../elasticsearch/command')).elasticsearchCommand(options, context),
      ),
    );
};
