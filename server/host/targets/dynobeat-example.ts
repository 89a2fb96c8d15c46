/**
 * Creates the configuration file (dynobeat.yml) of a Dyno collector that a user runs next to a cluster. Secrets are references to the
 * collector's keystore.
 */
import type { CollectorSecret } from '../../../common/api/host';
import type { Target } from '../../../common/api/targets';
import { engineOf, type Engine } from '../../../common/elasticsearch/engine';

/** Settings with which the collector connects to a cluster. */
export type NamedCluster = Pick<Target, 'hosts' | 'credentials' | 'ca' | 'verifyCertificates'>;

/** Returns the kind of the credentials in an `authorization` header, and the name of the user. The result does not contain the secret. */
export function credentialsIn(authorization: string | undefined): NamedCluster['credentials'] {
  if (authorization === undefined) return { kind: 'none', username: null };
  const [scheme, value = ''] = authorization.split(' ');
  if (scheme !== 'Basic') return { kind: 'api-key', username: null };
  const [username = ''] = Buffer.from(value, 'base64').toString('utf8').split(':');
  return { kind: 'basic', username };
}

/** Escapes `text` for the configuration of a Beat. There, Beats replace `${...}` by the value of a variable, and `$$` by `$`. */
export const literal = (text: string): string => text.replaceAll('$', '$$$$');

/** Returns the text as quoted YAML. JSON is valid YAML. */
const quoted = (text: string): string => JSON.stringify(literal(text));

const list = (items: readonly string[]): string => `[${items.map(quoted).join(', ')}]`;

/**
 * Secrets that the configuration contains in plain text, by their names in the keystore. For all other secrets, the configuration refers to
 * the keystore.
 */
export type WrittenSecrets = Readonly<Partial<Record<CollectorSecret, string>>>;

/**
 * Returns the settings of a connection as lines of YAML. The same settings are valid in the collector's module `dyno` and in
 * `output.elasticsearch`.
 */
function access(
  { credentials, ca, verifyCertificates }: NamedCluster,
  secret: CollectorSecret,
  written: WrittenSecrets,
  prefix = '',
): string[] {
  const value = (form: string): string =>
    written[secret] === undefined
      ? `'\${${secret}}'  # ${form}dynobeat keystore add ${secret}`
      : quoted(written[secret]);
  return [
    ...(credentials.kind === 'basic'
      ? [`${prefix}username: ${quoted(credentials.username ?? '')}`, `${prefix}password: ${value('')}`]
      : []),
    ...(credentials.kind === 'api-key' ? [`${prefix}api_key: ${value('id:key; ')}`] : []),
    ...(ca === null ? [] : [`${prefix}ssl.certificate_authorities: ['/etc/dynobeat/ca.pem']`]),
    ...(verifyCertificates ? [] : [`${prefix}ssl.verification_mode: none`]),
  ];
}

/**
 * Returns the configuration of a Dyno collector as YAML. The collector monitors the cluster `target` and sends its events to the cluster
 * `results`. The output has another name if `results` is OpenSearch. `written`: secrets to include in plain text; by default none.
 */
export function dynobeatExample(
  target: NamedCluster,
  results: NamedCluster & { engine?: Engine },
  written: WrittenSecrets = {},
): string {
  return [
    'dynobeat.modules:',
    '  # Reads all nodes of the cluster with one request a second. Enable it on one machine only.',
    '  - module: dyno',
    '    metricsets: [node]',
    '    period: 1s',
    '    scope: cluster',
    `    hosts: ${list(target.hosts.slice(0, 1))}`,
    ...access(target, 'TARGET_SECRET', written).map((line) => `    ${line}`),
    '  # Reads the machine that it runs on. Enable it on each machine of the cluster.',
    '  - module: dyno',
    '    metricsets: [host]',
    '    period: 1s',
    `    elasticsearch.hosts: ${list(target.hosts)}`,
    ...access(target, 'TARGET_SECRET', written, 'elasticsearch.').map((line) => `    ${line}`),
    '',
    '# The results cluster, in which runs record the trial that is running.',
    // dynobeat has an output for each engine.
    `output.${engineOf(results)}:`,
    `  hosts: ${list(results.hosts)}`,
    ...access(results, 'RESULTS_SECRET', written).map((line) => `  ${line}`),
    '',
    '# Dyno installs it, with its first run at the latest: start the collector after that.',
    'setup.template.enabled: false',
    '',
  ].join('\n');
}
