import type { ReactNode } from 'react';
import { Page } from '../../ui/page';

export default function EditorPage(): ReactNode {
  return <Page title="Editor">…</Page>;
}
