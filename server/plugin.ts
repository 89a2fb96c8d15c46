/** The server side of the plugin, called by Kibana. It loads everything else only if Node.js is new enough. */
import type { Config } from './kibana/config';
import { nodeRefusal } from './kibana/node-version';
import type * as Main from './kibana/plugin';
import type { PluginContext } from './kibana/sdk';

/** Version of Dyno. The build of the plugin inserts it. */
declare const DYNO_VERSION: string;
/**
 * `require` of CommonJS, the format of the built plugin. It is used instead of `import()`, because Kibana before 8.4 does not wait for a
 * promise when it creates the plugin.
 */
declare const require: (file: './dyno.js') => typeof Main;

/** A plugin that does nothing. Throwing instead would stop Kibana. */
const idle = { setup: () => undefined, start: () => undefined, stop: () => undefined };

export const plugin = (context: PluginContext<Config>): Main.DynoPlugin | typeof idle => {
  const refusal = nodeRefusal(process.versions.node);
  if (refusal !== null) {
    context.logger.get().error(refusal);
    return idle;
  }
  const { DynoPlugin } = require('./dyno.js');
  return new DynoPlugin(context, { folder: __dirname, version: DYNO_VERSION });
};
