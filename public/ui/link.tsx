/**
 * Links within the app. A click on such a link changes the page without reloading the app. As with other links, users can also open the
 * page in a new tab.
 */
import { EuiFlexGroup, EuiFlexItem, EuiLink, EuiSpacer, EuiText } from '@elastic/eui';
import { useCallback, type MouseEvent, type ReactNode } from 'react';
import { useApp } from '../app/context';

export interface LinkProps {
  href: string;
  onClick: (event: MouseEvent) => void;
}

/**
 * Returns whether a click should change the page of the app. With a modifier key or another mouse button, the browser handles the click,
 * for example by opening a new tab.
 */
export const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** Returns the properties for any EUI component with `href` and `onClick`. `path` begins with `/` and may contain a query. */
export function useLinkProps(): (path: string) => LinkProps {
  const { history } = useApp().host;
  return useCallback(
    (path) => ({
      href: history.createHref(locationOf(path)),
      onClick: (event) => {
        if (event.defaultPrevented || !isPlainClick(event)) return;
        event.preventDefault();
        history.push(path);
      },
    }),
    [history],
  );
}

function locationOf(path: string): { pathname: string; search: string; hash: string; state: undefined } {
  const { pathname, search, hash } = new URL(path, 'http://app');
  return { pathname, search, hash, state: undefined };
}

export function AppLink({ to, children }: { to: string; children: ReactNode }): ReactNode {
  const linkProps = useLinkProps();
  return <EuiLink {...linkProps(to)}>{children}</EuiLink>;
}

/** A row of links above a page, such as its table of contents. `label` describes them to screen readers. */
export function LinkRow({
  label,
  links,
}: {
  label: string;
  links: readonly { key: string; link: ReactNode }[];
}): ReactNode {
  return (
    <>
      <EuiText size="s">
        <EuiFlexGroup component="nav" gutterSize="m" responsive={false} wrap aria-label={label}>
          {links.map(({ key, link }) => (
            <EuiFlexItem key={key} grow={false}>
              {link}
            </EuiFlexItem>
          ))}
        </EuiFlexGroup>
      </EuiText>
      <EuiSpacer size="l" />
    </>
  );
}
