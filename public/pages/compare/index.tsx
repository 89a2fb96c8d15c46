import type { ReactNode } from 'react';
import { Page } from '../../ui/page';

export default function ComparePage(): ReactNode {
  return <Page title="Compare">…</Page>;
}
