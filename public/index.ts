/** The plugin's entry in the browser, which every page of Kibana loads. It must not throw, because an error here would break Kibana. */
import { DynoPlugin } from './kibana/plugin';

export const plugin = (): DynoPlugin => new DynoPlugin();

window.__kbnBundles__.define('plugin/dyno/public', () => ({ plugin }), 'public');
