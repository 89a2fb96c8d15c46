/** A link to the list of required privileges, for users whose request was refused. */
import type { ReactNode } from 'react';
import { lacksPrivileges } from '../../common/privileges';
import type { Problem } from '../../common/problem';
import { useApp } from '../app/context';
import { i18n } from '../i18n';
import { AppLink } from './link';

export const PRIVILEGES_PATH = '/privileges';

export const whichPrivileges = (): string =>
  i18n.translate('dyno.privileges.which', { defaultMessage: 'Required privileges' });

/** The link to the required privileges. Shows nothing if no problem is a missing privilege, or if this host has no roles for users. */
export function PrivilegesLink({ problems }: { problems: readonly Problem[] }): ReactNode {
  const { host } = useApp();
  if (!host.hasRoles || !lacksPrivileges(problems)) return null;
  return (
    <p>
      <AppLink to={PRIVILEGES_PATH}>{whichPrivileges()}</AppLink>
    </p>
  );
}
