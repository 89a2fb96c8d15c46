/** Links within the app: real ones, so that they can be opened in a new tab, that change the page without loading it. */
import { EuiLink } from '@elastic/eui';
import type { MouseEvent, ReactNode } from 'react';
import { useApp } from '../app/context';

export interface LinkProps {
  href: string;
  onClick: (event: MouseEvent) => void;
}

/** One that changes the page: no new tab, no new window. */
export const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** Props for any EUI component that takes `href` and `onClick`; `path` begins with `/` and may carry a query. */
export function useLinkProps(): (path: string) => LinkProps {
  const { history } = useApp().host;
  return (path) => ({
    href: history.createHref(locationOf(path)),
    onClick: (event) => {
      if (event.defaultPrevented || !isPlainClick(event)) return;
      event.preventDefault();
      history.push(path);
    },
  });
}

function locationOf(path: string): { pathname: string; search: string; hash: string; state: undefined } {
  const { pathname, search, hash } = new URL(path, 'http://app');
  return { pathname, search, hash, state: undefined };
}

export function AppLink({ to, children }: { to: string; children: ReactNode }): ReactNode {
  const linkProps = useLinkProps();
  return <EuiLink {...linkProps(to)}>{children}</EuiLink>;
}
