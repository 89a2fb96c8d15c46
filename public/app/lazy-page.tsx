/** Pages that are loaded when they are first opened. Loading is repeated while the server is unreachable. */
import { EuiEmptyPrompt, EuiSkeletonText } from '@elastic/eui';
import {
  lazy,
  useSyncExternalStore,
  type ComponentType,
  type LazyExoticComponent,
  type ReactNode,
} from 'react';
import { i18n } from '../i18n';

const TRY_AGAIN_MS = 3000;

let failing = 0;
const listeners = new Set<() => void>();

function setFailing(change: 1 | -1): void {
  failing += change;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

async function loadUntilThere<T>(load: () => Promise<T>): Promise<T> {
  let failed = false;
  for (;;) {
    try {
      const loaded = await load();
      if (failed) setFailing(-1);
      return loaded;
    } catch {
      if (!failed) setFailing(1);
      failed = true;
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
    }
  }
}

type PageModule = { default: ComponentType };

export interface LazyPage extends LazyExoticComponent<ComponentType> {
  /** Begins to load the code of the page before it is shown. */
  ask(): void;
}

export function lazyPage(load: () => Promise<PageModule>): LazyPage {
  let coming: Promise<PageModule> | undefined;
  const come = (): Promise<PageModule> => (coming ??= loadUntilThere(load));
  return Object.assign(lazy(come), { ask: () => void come() });
}

/** Placeholder of a page that is loading. */
export function PageComes(): ReactNode {
  const isFailing = useSyncExternalStore(subscribe, () => failing > 0);
  if (!isFailing) return <EuiSkeletonText lines={8} />;
  return (
    <EuiEmptyPrompt
      iconType="warning"
      title={<h2>{i18n.translate('dyno.page.away', { defaultMessage: 'The server does not answer' })}</h2>}
      body={
        <p>
          {i18n.translate('dyno.page.tries', {
            defaultMessage: 'This page could not be loaded. Dyno retries automatically.',
          })}
        </p>
      }
    />
  );
}
