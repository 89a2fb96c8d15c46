/** The plugin's browser side as Kibana calls it. */
import { DynoPlugin } from './kibana/plugin';

export const plugin = (): DynoPlugin => new DynoPlugin();
