/** Checks the URLs of a target. They must not contain credentials, and their hosts must match the setting of allowed hosts. */
import { DynoError, type Problem } from '../../../common/problem';
import { checkAllowedHosts } from '../../target-cluster/guard-rails';
import { takeApart } from '../../target-cluster/hosts';

/**
 * Returns the normalized URLs. Throws an input error that lists every invalid URL. Parts of a URL that might be a password are not repeated
 * in the error.
 */
export function checkHosts(hosts: readonly string[], allowed: readonly string[] | undefined): string[] {
  const problems = hosts.flatMap((host, position): Problem[] =>
    host.includes('@')
      ? [
          {
            code: 'target.credentials-in-hosts',
            path: `hosts[${position}]`,
            message: 'a host must not contain credentials, because everyone can read them',
            allowed: 'a URL without user:password@; enter user and password in their own fields',
          },
        ]
      : /[\s,]/.test(host)
        ? [
            {
              code: 'target.hosts',
              path: `hosts[${position}]`,
              message: 'not a URL',
              allowed: 'one URL for each host',
            },
          ]
        : [],
  );
  if (problems.length > 0) throw new DynoError('input', problems);
  const urls = takeApart(hosts).addresses.map(({ url }) => url);
  checkAllowedHosts(urls, allowed);
  return urls;
}
