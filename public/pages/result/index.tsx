import type { ReactNode } from 'react';
import { Page } from '../../ui/page';

export default function ResultPage(): ReactNode {
  return <Page title="Result">…</Page>;
}
