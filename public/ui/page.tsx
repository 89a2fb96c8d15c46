/** The frame of every page: title, what can be done there, where it stands, and its content. */
import { EuiPageTemplate, EuiSpacer, EuiText } from '@elastic/eui';
import { useEffect, type ReactNode } from 'react';
import { useApp } from '../app/context';
import type { Breadcrumb } from '../app/host';

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
  return (
    <section aria-label={title}>
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
