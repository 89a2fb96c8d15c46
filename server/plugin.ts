/** The plugin's server side as Kibana calls it. Loads everything else only where Node.js is new enough for it. */
import type { Config } from './kibana/config';
import { nodeRefusal } from './kibana/node-version';
import type * as Main from './kibana/plugin';
import type { PluginContext } from './kibana/sdk';

/** Set when the plugin is built. */
declare const DYNO_VERSION: string;
/** Of CommonJS, as the plugin is built: Kibana before 8.4 waits for no promise here. */
declare const require: (file: './dyno.js') => typeof Main;

/** Takes part in nothing: Kibana goes down with a plugin that throws. */
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
