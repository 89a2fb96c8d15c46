/** The frame of every page: title, what can be done there, where it stands, and its content. */
import { EuiLink, EuiPageTemplate, EuiSpacer, EuiText } from '@elastic/eui';
import { createContext, useCallback, useContext, useEffect, useRef, useState, type ReactNode } from 'react';
import { useApp } from '../app/context';
import type { Breadcrumb } from '../app/host';
import { i18n } from '../i18n';
import { LinkRow } from './link';

export interface PageProps {
  title: string;
  /** Where it stands below the app's own name; the page itself is added. */
  above?: readonly Breadcrumb[];
  /** Instead of the plain title, where it carries more (a badge, a state). */
  heading?: ReactNode;
  description?: ReactNode;
  /** Buttons, the most important first. */
  actions?: ReactNode[];
  tabs?: { label: string; isSelected: boolean; href: string; onClick: (event: React.MouseEvent) => void }[];
  children: ReactNode;
}

export function Page({
  title,
  above = [],
  heading,
  description,
  actions,
  tabs,
  children,
}: PageProps): ReactNode {
  const { host } = useApp();
  const trail = JSON.stringify([...above, { text: title }]);
  useEffect(() => host.setBreadcrumbs(JSON.parse(trail) as Breadcrumb[]), [host, trail]);
  return (
    <>
      <EuiPageTemplate.Header
        pageTitle={heading ?? title}
        description={description}
        rightSideItems={actions}
        tabs={tabs}
        restrictWidth={false}
        bottomBorder
      />
      <EuiPageTemplate.Section restrictWidth={false}>{children}</EuiPageTemplate.Section>
    </>
  );
}

interface PartOnPage {
  title: string;
  element: HTMLElement;
}

/** Told of each part that is there, and returns what forgets it. */
const TellPart = createContext<((part: PartOnPage) => () => void) | null>(null);

const inOrder = (a: PartOnPage, b: PartOnPage): number =>
  a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;

/** A table of contents above a long page: the titles of the parts within, whatever they are, and the way to each. */
export function WithContents({ children }: { children: ReactNode }): ReactNode {
  const [parts, setParts] = useState<readonly PartOnPage[]>([]);
  const tell = useCallback((part: PartOnPage) => {
    setParts((known) => [...known, part].sort(inOrder));
    return () => setParts((known) => known.filter((one) => one !== part));
  }, []);
  const goTo = ({ element }: PartOnPage): void => {
    element.scrollIntoView({ block: 'start' });
    element.focus({ preventScroll: true });
  };
  return (
    <TellPart.Provider value={tell}>
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
    </TellPart.Provider>
  );
}

/** A titled part of a page. */
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
  const tell = useContext(TellPart);
  useEffect(() => tell?.({ title, element: section.current! }), [tell, title]);
  return (
    <section
      ref={section}
      aria-label={title}
      tabIndex={tell === null ? undefined : -1}
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
