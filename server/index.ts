/** Entry of Dyno's server code in Kibana. `plugin` creates the server plugin, `config` defines its settings. */
export { config } from './kibana/config';
export { plugin } from './plugin';
