/** EUI in the colours of the host, beside another one where the document is not ours. */
import createCache from '@emotion/cache';
import { EuiProvider } from '@elastic/eui';
import { Global } from '@emotion/react';
import { useMemo, type ReactNode } from 'react';
import { useApp, useDarkMode } from './context';

interface ThemedProps {
  /** Whether styles may reach beyond our own parts. */
  global: boolean;
  /** Where the style sheets hang; in the document's head without. */
  styles?: HTMLElement;
  children: ReactNode;
}

export function Themed({ global, styles, children }: ThemedProps): ReactNode {
  const dark = useDarkMode();
  const { portals, look } = useApp().host;
  const defaults = useMemo(
    () => (portals ? { EuiPortal: { insert: { sibling: portals, position: 'before' as const } } } : {}),
    [portals],
  );
  // A cache of its own: in Kibana another EUI writes its styles beside.
  const cache = useMemo(
    () => createCache({ key: 'dyno', ...(styles ? { container: styles } : {}) }),
    [styles],
  );
  return (
    <EuiProvider
      colorMode={dark ? 'dark' : 'light'}
      cache={cache}
      componentDefaults={defaults}
      {...(look ? { modify: look.theme } : {})}
      {...(global ? {} : { globalStyles: false, utilityClasses: false })}
    >
      {look ? <Global styles={look.css(dark)} /> : null}
      {children}
    </EuiProvider>
  );
}
