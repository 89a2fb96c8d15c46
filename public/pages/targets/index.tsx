import type { ReactNode } from 'react';
import { Page } from '../../ui/page';

export default function TargetsPage(): ReactNode {
  return <Page title="Targets">…</Page>;
}
