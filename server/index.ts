/** Entry of the server side for Kibana: `plugin` creates it, `config` reads its settings. */
export { config } from './kibana/config';
export { plugin } from './plugin';
