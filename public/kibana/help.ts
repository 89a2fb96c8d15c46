/** What Kibana's help menu offers while Dyno is open: its documentation, which is part of the app. */
import type { CoreStart, HelpExtension } from './sdk';

const PAGES = [
  { content: 'What the figures mean', page: 'figures' },
  { content: 'Alerts', page: 'alerts' },
  { content: 'Dyno in Kibana', page: 'kibana' },
  { content: 'Glossary', page: 'glossary' },
];

/** `appId`: of Dyno. */
export function helpExtension({ application }: Pick<CoreStart, 'application'>, appId: string): HelpExtension {
  const hrefOf = (page: string): string => application.getUrlForApp(appId, { path: `/docs/${page}` });
  return {
    appName: 'Dyno',
    links: [
      { linkType: 'documentation', href: hrefOf('experiments') },
      ...PAGES.map(({ content, page }) => ({ linkType: 'custom' as const, content, href: hrefOf(page) })),
    ],
  };
}
