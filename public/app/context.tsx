/** React context of all pages: the surrounding host (Kibana or the standalone page) and the client for Dyno's server. */
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { ApiClient } from '../api/client';
import type { AppHost } from './host';

interface AppContext {
  host: AppHost;
  client: ApiClient;
}

const Context = createContext<AppContext | null>(null);

export const AppContextProvider = Context.Provider;

export function useApp(): AppContext {
  const app = useContext(Context);
  if (app === null) throw new Error('outside the app');
  return app;
}

export function useDarkMode(): boolean {
  const { darkMode } = useApp().host;
  return useSyncExternalStore(darkMode.subscribe, darkMode.get);
}

/** Returns whether the user has the privilege `needed`. */
export function usePrivilege(needed: AppHost['privilege']): boolean {
  const order = ['read', 'run', 'manage'];
  return order.indexOf(useApp().host.privilege) >= order.indexOf(needed);
}
