/** The plugin's server side as Kibana calls it. */
import type { Config } from './kibana/config';
import { DynoPlugin } from './kibana/plugin';
import type { PluginContext } from './kibana/sdk';

/** Set when the plugin is built. */
declare const DYNO_VERSION: string;

export const plugin = (context: PluginContext<Config>): DynoPlugin =>
  new DynoPlugin(context, { folder: __dirname, version: DYNO_VERSION });
