/** The app within Kibana, loaded when it is first opened: a React root of its own, which leaves nothing behind. */
import { createRoot } from 'react-dom/client';
import { App } from '../app/app';
import { createHost } from './host';
import type { CoreStart, MountParameters } from './sdk';

/** Everything of ours that must look different beside Kibana's own styles hangs on it. */
const ROOT_CLASS = 'dynoInKibana';

/** As public/app names the cache of its styles. */
const STYLES = 'style[data-emotion^="dyno"]';

/** Returns what takes it away again. */
export function mount(core: CoreStart, params: MountParameters): () => void {
  const { element } = params;
  const host = createHost(core, params);
  const root = createRoot(element);
  element.classList.add(ROOT_CLASS);
  root.render(<App host={host} ownsDocument={false} />);
  return () => {
    root.unmount();
    element.classList.remove(ROOT_CLASS);
    document.querySelectorAll(STYLES).forEach((style) => style.remove());
    host.leave();
  };
}
