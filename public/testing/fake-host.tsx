/** Shows a component in tests within the app's context, router and theme. The test defines the server's answers. */
import { QueryClientProvider } from '@tanstack/react-query';
import { render, type RenderResult } from '@testing-library/react';
import { createMemoryHistory, type MemoryHistory } from 'history';
import type { ReactNode } from 'react';
import { createClient } from '../api/client';
import { createQueryClient } from '../api/queries';
import { AppContextProvider } from '../app/context';
import type { AppHost } from '../app/host';
import { HostRouter } from '../app/host-router';
import { Themed } from '../app/themed';
import { ToastProvider } from '../ui/toasts';

export interface Shown extends RenderResult {
  history: MemoryHistory;
}

/** Answers of the API by `METHOD /path`. A request without an answer fails, and so does the test. */
export type Answers = Readonly<Record<string, (body: unknown) => Response>>;

/** Style sheets are kept outside the document, because jsdom needs seconds to match thousands of rules for each query. */
const nowhere = document.createElement('div');

/** Renders `part` as on a page with the path `path`. Returns the rendered component and the browser history. */
export function show(
  part: ReactNode,
  {
    path = '/',
    privilege = 'manage',
    answers = {},
    has = {},
  }: {
    path?: string;
    privilege?: AppHost['privilege'];
    answers?: Answers;
    /** Optional features of the surrounding page, such as Kibana's dashboards. */
    has?: Partial<AppHost>;
  } = {},
): Shown {
  const history = createMemoryHistory({ initialEntries: [path] });
  const host: AppHost = {
    history,
    fetch: (url, { method = 'GET', body } = {}) => {
      const answer = answers[`${method} ${url}`];
      if (answer === undefined) return Promise.reject(new Error(`nothing answers ${method} ${url}`));
      return Promise.resolve(answer(typeof body === 'string' ? JSON.parse(body) : undefined));
    },
    urlOf: (url) => url,
    darkMode: { get: () => false, subscribe: () => () => undefined },
    setBreadcrumbs: () => undefined,
    localTarget: () => 'the embedded Elasticsearch',
    filesPlace: () => 'this machine',
    samplesPlace: () => 'A sample is kept on this machine.',
    hasRoles: false,
    privilege,
    ...has,
  };
  const around = (children: ReactNode): ReactNode => (
    <AppContextProvider value={{ host, client: createClient(host) }}>
      <Themed global styles={nowhere}>
        <QueryClientProvider client={createQueryClient()}>
          <HostRouter host={host}>
            <ToastProvider>{children}</ToastProvider>
          </HostRouter>
        </QueryClientProvider>
      </Themed>
    </AppContextProvider>
  );
  return Object.assign(render(around(part)), { history });
}
