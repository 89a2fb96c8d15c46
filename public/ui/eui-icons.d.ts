/** Types of single EUI icons. EUI itself provides no types for these imports. */
declare module '@elastic/eui/es/components/icon/icon' {
  import type { ComponentType } from 'react';
  export const appendIconComponentCache: (icons: Readonly<Record<string, ComponentType>>) => void;
}
declare module '@elastic/eui/es/components/icon/assets/*' {
  import type { ComponentType } from 'react';
  export const icon: ComponentType;
}
