/** Entry of the plugin's server code, which Kibana calls. It loads the rest of the code only if Node.js is new enough. */
import type { Config } from './kibana/config';
import { nodeRefusal } from './kibana/node-version';
import type * as Main from './kibana/plugin';
import type { PluginContext } from './kibana/sdk';

/** Version of Dyno. The build of the plugin inserts it. */
declare const DYNO_VERSION: string;
/**
 * The function `require` of CommonJS, the format of the built plugin. `import()` cannot be used: it returns a promise, and Kibana before
 * 8.4 does not wait for a promise when it creates the plugin.
 */
declare const require: (file: './dyno.js') => typeof Main;

/** A plugin that does nothing. It is used if Node.js is too old. Throwing an error instead would end Kibana. */
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
