import type { ReactNode } from 'react';
import { Page } from '../../ui/page';

export default function RunsPage(): ReactNode {
  return <Page title="Runs">…</Page>;
}
