/** The frame of every page: title, actions, breadcrumbs and content. */
import { EuiLink, EuiPageTemplate, EuiSpacer, EuiTab, EuiTabs, EuiText, EuiTitle } from '@elastic/eui';
import { createContext, useCallback, useContext, useEffect, useRef, useState, type ReactNode } from 'react';
import { useApp } from '../app/context';
import type { Breadcrumb } from '../app/host';
import { i18n } from '../i18n';
import { LinkRow } from './link';

export interface PageProps {
  title: string;
  /** Breadcrumbs between the app and this page. */
  above?: readonly Breadcrumb[];
  /** Replaces the plain title, for example to add a badge or a state. */
  heading?: ReactNode;
  description?: ReactNode;
  /** Buttons; the most important one is first. */
  actions?: ReactNode[];
  tabs?: { label: string; isSelected: boolean; href: string; onClick: (event: React.MouseEvent) => void }[];
  /** Whether the title is smaller and the margins are narrower, to leave more room for the content. */
  isCompact?: boolean;
  children: ReactNode;
}

/** Media query that matches phones. */
export const NARROW_PAGE = '@media (max-width: 575px)';

const COMPACT_CONTENT = { padding: '16px 24px 24px', [NARROW_PAGE]: { padding: '12px 16px 24px' } };

/** A header that leaves room for the content: title and facts next to the buttons, tabs below. */
function CompactHeader({
  title,
  description,
  actions,
  tabs,
}: Pick<PageProps, 'description' | 'actions' | 'tabs'> & { title: ReactNode }): ReactNode {
  return (
    <header
      css={{
        flexGrow: 0,
        padding: '14px 24px 0',
        [NARROW_PAGE]: { padding: '10px 16px 0' },
      }}
    >
      <div
        css={{
          display: 'flex',
          flexWrap: 'wrap',
          justifyContent: 'space-between',
          alignItems: 'center',
          gap: '10px 24px',
        }}
      >
        <div css={{ flex: '1 1 340px', minInlineSize: 0 }}>
          <EuiTitle size="m">
            <h1
              css={{
                overflowWrap: 'anywhere',
                [NARROW_PAGE]: { '&&': { fontSize: 18, lineHeight: '24px' } },
              }}
            >
              {title}
            </h1>
          </EuiTitle>
          <EuiText size="xs" color="subdued">
            {description}
          </EuiText>
        </div>
        {/* The first button is the most important. It is rightmost, or first if the buttons wrap. */}
        <div
          css={{
            display: 'flex',
            flexDirection: 'row-reverse',
            flexWrap: 'wrap',
            gap: 8,
            [NARROW_PAGE]: { flexDirection: 'row' },
          }}
        >
          {actions}
        </div>
      </div>
      {tabs === undefined ? (
        <EuiSpacer size="m" />
      ) : (
        <EuiTabs size="s" css={{ marginBlockStart: 6 }}>
          {tabs.map(({ label, ...tab }) => (
            <EuiTab key={label} {...tab}>
              {label}
            </EuiTab>
          ))}
        </EuiTabs>
      )}
    </header>
  );
}

export function Page({
  title,
  above = [],
  heading,
  description,
  actions,
  tabs,
  isCompact = false,
  children,
}: PageProps): ReactNode {
  const { host } = useApp();
  const trail = JSON.stringify([...above, { text: title }]);
  useEffect(() => host.setBreadcrumbs(JSON.parse(trail) as Breadcrumb[]), [host, trail]);
  return (
    <>
      {isCompact ? (
        <CompactHeader title={heading ?? title} description={description} actions={actions} tabs={tabs} />
      ) : (
        <EuiPageTemplate.Header
          pageTitle={heading ?? title}
          description={description}
          rightSideItems={actions}
          tabs={tabs}
          restrictWidth={false}
          bottomBorder
        />
      )}
      <EuiPageTemplate.Section
        restrictWidth={false}
        {...(isCompact ? { contentProps: { css: COMPACT_CONTENT }, paddingSize: 'none' } : {})}
      >
        {children}
      </EuiPageTemplate.Section>
    </>
  );
}

interface PartOnPage {
  title: string;
  element: HTMLElement;
}

/**
 * Function that adds a section to the table of contents of its page. It returns a function that removes the section. Null if the page has
 * no table of contents.
 */
const RegisterPart = createContext<((part: PartOnPage) => () => void) | null>(null);

const inOrder = (a: PartOnPage, b: PartOnPage): number =>
  a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;

/** Shows a table of contents above the content of a long page. It has a link to each {@link Part} in `children`. */
export function WithContents({ children }: { children: ReactNode }): ReactNode {
  const [parts, setParts] = useState<readonly PartOnPage[]>([]);
  const register = useCallback((part: PartOnPage) => {
    setParts((known) => [...known, part].sort(inOrder));
    return () => setParts((known) => known.filter((one) => one !== part));
  }, []);
  const goTo = ({ element }: PartOnPage): void => {
    element.scrollIntoView({ block: 'start' });
    element.focus({ preventScroll: true });
  };
  return (
    <RegisterPart.Provider value={register}>
      {parts.length < 2 ? null : (
        <LinkRow
          label={i18n.translate('dyno.page.contents', { defaultMessage: 'Contents of this page' })}
          links={parts.map((part) => ({
            key: part.title,
            link: <EuiLink onClick={() => goTo(part)}>{part.title}</EuiLink>,
          }))}
        />
      )}
      {children}
    </RegisterPart.Provider>
  );
}

/** A section of a page with a title. */
export function Part({
  title,
  children,
  note,
}: {
  title: string;
  note?: ReactNode;
  children: ReactNode;
}): ReactNode {
  const section = useRef<HTMLElement>(null);
  const register = useContext(RegisterPart);
  useEffect(() => register?.({ title, element: section.current! }), [register, title]);
  return (
    <section
      ref={section}
      aria-label={title}
      tabIndex={register === null ? undefined : -1}
      css={{ scrollMarginTop: 'calc(var(--euiFixedHeadersOffset, 0px) + 16px)', outline: 'none' }}
    >
      <EuiText size="s">
        <h2>{title}</h2>
        {note === undefined ? null : <p>{note}</p>}
      </EuiText>
      <EuiSpacer size="m" />
      {children}
      <EuiSpacer size="xl" />
    </section>
  );
}
