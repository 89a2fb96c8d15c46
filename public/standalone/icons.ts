/** EUI fetches each icon when it is first shown. Those that tell that the server is away cannot wait for it. */
import { icon as check } from '@elastic/eui/es/components/icon/assets/check';
import { icon as cross } from '@elastic/eui/es/components/icon/assets/cross';
import { icon as error } from '@elastic/eui/es/components/icon/assets/error';
import { icon as info } from '@elastic/eui/es/components/icon/assets/info';
import { icon as refresh } from '@elastic/eui/es/components/icon/assets/refresh';
import { icon as warning } from '@elastic/eui/es/components/icon/assets/warning';
import { appendIconComponentCache } from '@elastic/eui/es/components/icon/icon';

export const bringIcons = (): void =>
  appendIconComponentCache({ check, cross, error, info, refresh, warning });
