/** State of a target's form, and the settings that are sent. */
import type * as z from 'zod';
import type { Target, TARGET_ROUTES } from '../../../common/api/targets';

export type CredentialKind = 'none' | 'basic' | 'api-key' | 'keep';

export interface TargetForm {
  id: string;
  title: string;
  /** URLs, one per line. */
  hosts: string;
  kind: CredentialKind;
  username: string;
  /** Password or API key that the user has typed. '' at first, because the server never returns stored secrets. */
  secret: string;
  ca: string;
  verifyCertificates: boolean;
}

type Settings = z.input<typeof TARGET_ROUTES.testTarget.body>;

export const EMPTY_TARGET: TargetForm = {
  id: '',
  title: '',
  hosts: '',
  kind: 'none',
  username: '',
  secret: '',
  ca: '',
  verifyCertificates: true,
};

/** Returns the form for a stored target. The form has no secret. The server keeps the stored secret until the user types another one. */
export const formOf = ({ id, title, hosts, credentials, ca, verifyCertificates }: Target): TargetForm => ({
  id,
  title,
  hosts: hosts.join('\n'),
  kind: credentials.kind === 'none' ? 'none' : 'keep',
  username: credentials.username ?? '',
  secret: '',
  ca: ca ?? '',
  verifyCertificates,
});

/** Returns the id that definitions use: `my-cluster-hdd` for `My cluster (HDD)`. */
export const idFromTitle = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');

function credentialsOf({ kind, username, secret }: TargetForm): Settings['credentials'] {
  if (kind === 'basic') return { kind, username, password: secret };
  if (kind === 'api-key') return { kind, key: secret };
  return { kind };
}

/** Returns all settings of the form. The server requires all of them in each change of a target. */
export const settingsOf = (form: TargetForm): Required<Omit<Settings, 'id'>> => ({
  title: form.title.trim(),
  hosts: form.hosts
    .split(/[\s,]+/)
    .map((host) => host.trim())
    .filter(Boolean),
  credentials: credentialsOf(form),
  ca: form.ca.trim() === '' ? null : form.ca,
  verifyCertificates: form.verifyCertificates,
});
