import type { ReactNode } from 'react';
import { Page } from '../../ui/page';

export default function CollectorPage(): ReactNode {
  return <Page title="Collector">…</Page>;
}
