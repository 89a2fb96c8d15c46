/** Types of single EUI icons, for which EUI provides none. */
declare module '@elastic/eui/es/components/icon/icon' {
  import type { ComponentType } from 'react';
  export const appendIconComponentCache: (icons: Readonly<Record<string, ComponentType>>) => void;
}
declare module '@elastic/eui/es/components/icon/assets/*' {
  import type { ComponentType } from 'react';
  export const icon: ComponentType;
}
