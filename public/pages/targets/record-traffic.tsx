/** Shows how to record the traffic of a target, and lists the existing recordings. */
import { EuiCodeBlock, EuiSpacer, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { Target } from '../../../common/api/targets';
import { shownAddress } from '../../../common/secrets/address';
import { REMOVED } from '../../../common/secrets/redact';
import { useApp } from '../../app/context';
import { i18n } from '../../i18n';
import { Part } from '../../ui/page';
import { TrafficFiles } from '../traffic/files';

const LISTEN = '127.0.0.1:9201';

/** Returns a text as a single word for a shell command, with quotes if necessary. */
const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns the command that records the traffic of a target. It contains no credentials. */
export function recordCommand({
  id,
  hosts,
  ca,
  verifyCertificates,
}: Pick<Target, 'id' | 'hosts' | 'ca' | 'verifyCertificates'>): string {
  const [host = ''] = hosts;
  return [
    `dyno record --target ${quoted(shownAddress(host).replace(`${REMOVED}@`, ''))}`,
    `--listen ${LISTEN}`,
    `--to ${quoted(`${id}.traffic.gz`)} --for 1h`,
    ...(verifyCertificates ? (ca === null ? [] : ['--ca ca.pem']) : ['--insecure']),
  ].join(' \\\n  ');
}

export function RecordTraffic({ target }: { target: Target }): ReactNode {
  const { host } = useApp();
  return (
    <Part
      title={i18n.translate('dyno.targets.record', { defaultMessage: 'Record traffic' })}
      note={i18n.translate('dyno.targets.recordNote', {
        defaultMessage:
          'Record what your clients send to this cluster, and replay it in experiments. Run this command on a machine between the clients and the cluster:',
      })}
    >
      <EuiCodeBlock isCopyable fontSize="s" paddingSize="m">
        {recordCommand(target)}
      </EuiCodeBlock>
      <EuiSpacer size="m" />
      <EuiText size="s">
        <ol>
          <li>
            {i18n.translate('dyno.targets.recordClients', {
              defaultMessage:
                'In your clients, replace the addresses of the cluster with the address after --listen. Clients on other machines need an address that they can reach, such as --listen 0.0.0.0:9201.',
            })}
          </li>
          <li>
            {i18n.translate('dyno.targets.recordTls', {
              defaultMessage:
                'Use http:// for this address, or add --cert and --key so that dyno record listens with TLS.',
            })}
          </li>
          <li>
            {i18n.translate('dyno.targets.recordSniffing', {
              defaultMessage:
                'Turn sniffing off in your clients. Otherwise, they find the nodes of the cluster and send requests to them directly.',
            })}
          </li>
          <li>
            {i18n.translate('dyno.targets.recordCredentials', {
              defaultMessage:
                'Leave user, password and API key as they are. dyno record passes them on to the cluster, and never stores them. It needs no credentials itself.',
            })}
          </li>
          <li>
            {i18n.translate('dyno.targets.recordEnd', {
              defaultMessage:
                'The recording ends after the time in --for, or with Ctrl-C. Then change the clients back.',
            })}
          </li>
          <li>
            {i18n.translate('dyno.targets.recordPlace', {
              defaultMessage: 'Copy the file to where Dyno reads files. {place}',
              values: { place: host.filesPlace() },
            })}
          </li>
        </ol>
      </EuiText>
      <EuiSpacer size="m" />
      <TrafficFiles target={target.id} />
    </Part>
  );
}
