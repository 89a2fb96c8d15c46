/** Router that uses the browser history of its host, which is Kibana or the standalone page. */
import { useLayoutEffect, useMemo, useState, type ReactNode } from 'react';
import { Router } from 'react-router';
import type { AppHost } from './host';

export function HostRouter({ host, children }: { host: AppHost; children: ReactNode }): ReactNode {
  const { history } = host;
  const [state, setState] = useState({ location: history.location, action: history.action });
  useLayoutEffect(() => history.listen((location, action) => setState({ location, action })), [history]);
  // Translates the router's navigation to the browser history of Kibana or of the standalone page.
  const navigator = useMemo(
    () => ({
      createHref: (to: unknown) =>
        history.createHref(
          typeof to === 'string'
            ? { pathname: to }
            : (to as { pathname: string; search: string; hash: string }),
        ),
      go: (delta: number) => history.go(delta),
      push: (to: unknown, data?: unknown) => history.push(to as string, data),
      replace: (to: unknown, data?: unknown) => history.replace(to as string, data),
    }),
    [history],
  );
  return (
    <Router location={state.location} navigationType={state.action as never} navigator={navigator as never}>
      {children}
    </Router>
  );
}
