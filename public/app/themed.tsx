/**
 * Shows the app's EUI components in the colours of the surrounding page. In Kibana, their styles must not affect Kibana's own components.
 */
import createCache from '@emotion/cache';
import { EuiProvider } from '@elastic/eui';
import { Global } from '@emotion/react';
import { useMemo, type ReactNode } from 'react';
import { useApp, useDarkMode } from './context';

interface ThemedProps {
  /** Whether the app's styles may affect the whole document, including elements outside the app. */
  global: boolean;
  /** Element for the style sheets. Default: the document's head. */
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
  // The app needs its own cache, because another EUI in Kibana writes styles too.
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
