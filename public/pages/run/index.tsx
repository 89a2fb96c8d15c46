import type { ReactNode } from 'react';
import { Page } from '../../ui/page';

export default function RunPage(): ReactNode {
  return <Page title="Run">…</Page>;
}
