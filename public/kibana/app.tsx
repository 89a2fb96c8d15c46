/** The app within Kibana. It is loaded when it is first opened, and has a separate React root. */
import { createRoot } from 'react-dom/client';
import { App } from '../app/app';
import { bringIcons } from '../ui/icons';
import { helpExtension } from './help';
import { APP_ID, createHost } from './host';
import type { CoreStart, MountParameters, StartPlugins } from './sdk';
import { enter } from './surroundings';

/** Mounts the app. Returns a function that unmounts it and leaves nothing behind. */
export function mount(core: CoreStart, params: MountParameters, plugins: StartPlugins): () => void {
  const { element } = params;
  bringIcons();
  const surroundings = enter(element);
  const host = createHost(core, params, surroundings.portals, plugins);
  core.chrome.setHelpExtension(helpExtension(core, APP_ID));
  const root = createRoot(element);
  root.render(<App host={host} ownsDocument={false} />);
  return () => {
    root.unmount();
    surroundings.leave();
    host.leave();
  };
}
