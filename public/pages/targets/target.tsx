import type { ReactNode } from 'react';
import { Page } from '../../ui/page';

export default function TargetPage(): ReactNode {
  return <Page title="Targets">…</Page>;
}
