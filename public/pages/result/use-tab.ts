/** The open tab, which is stored in the URL, and a function that opens another one. */
import { useCallback } from 'react';
import { useLocation } from 'react-router';
import { useApp } from '../../app/context';
import { searchOfTab, tabOf, type Tab } from './tabs';

/**
 * Returns the open tab, and a function that opens a tab. Opening a tab adds a step to the browser history, so that *Back* returns to the
 * previous tab.
 */
export function useTab(): [Tab, (tab: Tab) => void] {
  const { history } = useApp().host;
  const location = useLocation();
  const open = useCallback(
    (tab: Tab) => {
      const { pathname, search } = history.location;
      history.push({ pathname, search: searchOfTab(search, tab), hash: '' });
    },
    [history],
  );
  return [tabOf(location), open];
}
