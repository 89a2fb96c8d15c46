/** The pages of the documentation. They are part of the app, so no internet access is needed, and they match the version of Dyno. */
import { EuiMarkdownFormat, getDefaultEuiMarkdownParsingPlugins } from '@elastic/eui';
import { useCallback, useEffect, useMemo, useRef, type MouseEvent, type ReactNode } from 'react';
import { Navigate, useLocation, useParams } from 'react-router';
import { useApp } from '../../app/context';
import { i18n } from '../../i18n';
import { AppLink, isPlainClick, LinkRow, useLinkProps } from '../../ui/link';
import { Page } from '../../ui/page';
import { anchorOf, pageText, titleOf } from './links';
import { DOCS, DOCS_BY_KIND, type DocsKind } from './pages';
import { plainPipes } from './plain-pipes';
import { DocsSearch } from './search-box';

// Markdown plugins of EUI, without the one for line breaks. The files wrap their lines, and EUI would show each of these line breaks.
const PARSING = [...getDefaultEuiMarkdownParsingPlugins({ exclude: ['lineBreaks'] }), plainPipes];

const NAMES = Object.keys(DOCS);
const pathOf = (name: string, hash = ''): string => `/docs/${name}${hash}`;

const titleOfKind = (kind: DocsKind): string =>
  ({
    start: '',
    learn: i18n.translate('dyno.docs.kind.learn', { defaultMessage: 'Learn' }),
    do: i18n.translate('dyno.docs.kind.do', { defaultMessage: 'Do' }),
    lookUp: i18n.translate('dyno.docs.kind.lookUp', { defaultMessage: 'Look up' }),
    understand: i18n.translate('dyno.docs.kind.understand', { defaultMessage: 'Understand' }),
  })[kind];

/**
 * Links to the pages in the same section of the documentation as the page `current`. The start page has no such links, because it lists the
 * pages of all sections.
 */
function Navigation({ current }: { current: string }): ReactNode {
  const [kind, pages] = Object.entries(DOCS_BY_KIND).find(([, its]) => current in its)!;
  if (kind === 'start') return null;
  return (
    <LinkRow
      label={titleOfKind(kind as DocsKind)}
      links={[
        { key: 'kind', link: <strong>{titleOfKind(kind as DocsKind)}</strong> },
        ...Object.entries(pages).map(([name, markdown]) => ({
          key: name,
          link:
            name === current ? (
              <strong aria-current="page">{titleOf(markdown)}</strong>
            ) : (
              <AppLink to={pathOf(name)}>{titleOf(markdown)}</AppLink>
            ),
        })),
      ]}
    />
  );
}

export default function DocsPage(): ReactNode {
  const { name = '' } = useParams();
  const markdown = DOCS[name];
  if (markdown === undefined) return <Navigate to={pathOf(NAMES[0]!)} replace />;
  return <Doc key={name} name={name} markdown={markdown} />;
}

function Doc({ name, markdown }: { name: string; markdown: string }): ReactNode {
  const { history } = useApp().host;
  const linkProps = useLinkProps();
  const { hash } = useLocation();
  const body = useRef<HTMLDivElement>(null);
  const hrefOf = useCallback((to: string, at: string): string => linkProps(pathOf(to, at)).href, [linkProps]);
  const text = useMemo(() => pageText(markdown, name, NAMES, hrefOf), [markdown, name, hrefOf]);
  useEffect(() => {
    for (const heading of body.current?.querySelectorAll('h2, h3, h4') ?? [])
      heading.id = anchorOf(heading.textContent);
    // Makes tables focusable, so that wide tables can be scrolled with the keyboard.
    for (const table of body.current?.querySelectorAll('table') ?? []) table.tabIndex = 0;
    if (hash !== '') document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [text, hash]);

  /** Handles a click on a link to another page of the documentation: shows the page without reloading the app. */
  const follow = (event: MouseEvent): void => {
    const link = (event.target as Element).closest('a');
    const to = NAMES.find((one) => link?.getAttribute('href')?.split('#')[0] === hrefOf(one, ''));
    if (to === undefined || !isPlainClick(event)) return;
    event.preventDefault();
    history.push(pathOf(to, link!.hash));
  };

  const title = titleOf(markdown);
  return (
    <Page
      title={title}
      above={
        name === NAMES[0]
          ? []
          : [
              {
                text: i18n.translate('dyno.docs.above', { defaultMessage: 'Documentation' }),
                path: pathOf(NAMES[0]!),
              },
            ]
      }
    >
      <DocsSearch />
      <Navigation current={name} />
      <div
        ref={body}
        onClick={follow}
        css={{
          maxInlineSize: 1100,
          minInlineSize: 0,
          table: { display: 'block', overflowX: 'auto', maxInlineSize: '100%' },
          'h2, h3, h4, p, li': { overflowWrap: 'anywhere' },
          'h2, h3, h4': { scrollMarginTop: 'calc(var(--euiFixedHeadersOffset, 0px) + 16px)' },
        }}
      >
        <EuiMarkdownFormat textSize="s" parsingPluginList={PARSING}>
          {text}
        </EuiMarkdownFormat>
      </div>
    </Page>
  );
}
