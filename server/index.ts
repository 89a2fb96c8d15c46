/** Kibana's entry to the server side: `plugin` makes it, `config` reads its settings. */
export { config } from './kibana/config';
export { plugin } from './plugin';
