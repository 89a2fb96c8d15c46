/** Kibana's entry in the browser, on every page: it only says where the plugin is. One that throws takes Kibana down. */
import { DynoPlugin } from './kibana/plugin';

export const plugin = (): DynoPlugin => new DynoPlugin();

window.__kbnBundles__.define('plugin/dyno/public', () => ({ plugin }), 'public');
