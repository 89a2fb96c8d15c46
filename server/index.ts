/** Entry of Dyno's server code in Kibana. `plugin` creates the server plugin. `config` defines the settings of the plugin. */
export { config } from './kibana/config';
export { plugin } from './plugin';
