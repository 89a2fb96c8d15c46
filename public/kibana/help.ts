/** Entry of Kibana's help menu while Dyno is open: Dyno's documentation, which is part of the app. */
import type { CoreStart, HelpExtension } from './sdk';

const PAGES = [
  { content: 'Metrics', page: 'figures' },
  { content: 'Alerts', page: 'alerts' },
  { content: 'Dyno in Kibana', page: 'kibana' },
  { content: 'Glossary', page: 'glossary' },
];

/** Returns Dyno's entry of the help menu. `appId`: id of Dyno's app in Kibana. */
export function helpExtension({ application }: Pick<CoreStart, 'application'>, appId: string): HelpExtension {
  const hrefOf = (page: string): string => application.getUrlForApp(appId, { path: `/docs/${page}` });
  return {
    appName: 'Dyno',
    links: [
      { linkType: 'documentation', href: hrefOf('README') },
      ...PAGES.map(({ content, page }) => ({ linkType: 'custom' as const, content, href: hrefOf(page) })),
    ],
  };
}
