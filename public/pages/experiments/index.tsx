import type { ReactNode } from 'react';
import { Page } from '../../ui/page';

export default function ExperimentsPage(): ReactNode {
  return <Page title="Experiments">…</Page>;
}
