/** Shows the contents of the support bundle before it is created. */
import { EuiButton, EuiButtonEmpty, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import { useApp } from '../../app/context';
import { useApi } from '../../api/queries';
import { i18n } from '../../i18n';
import { Dialog } from '../../ui/dialog';
import { Loadable } from '../../ui/loadable';

export function BundleDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { client } = useApp();
  const query = useApi('getAboutPaths', {});
  const title = i18n.translate('dyno.about.bundleTitle', { defaultMessage: 'Download support bundle' });
  return (
    <Dialog
      onClose={onClose}
      css={{ maxInlineSize: 720 }}
      title={title}
      footer={
        <>
          <EuiButtonEmpty onClick={onClose}>
            {i18n.translate('dyno.about.bundleCancel', { defaultMessage: 'Cancel' })}
          </EuiButtonEmpty>
          <EuiButton fill iconType="download" href={client.urlOf('makeSupportBundle', {})} onClick={onClose}>
            {i18n.translate('dyno.about.bundleDownload', { defaultMessage: 'Download' })}
          </EuiButton>
        </>
      }
    >
      <EuiText size="s">
        <p>
          {i18n.translate('dyno.about.bundleText', {
            defaultMessage:
              'A zip for the people who help you: health, settings, recent logs, last runs. It contains no passwords, keys, tokens, cookies or private keys, but names of hosts, indices, experiments and folders. Look through it before you share it.',
          })}
        </p>
        <Loadable query={query}>
          {({ bundle }) => (
            <ul>
              {bundle.map((line) => {
                const [name, ...what] = line.split(': ');
                return (
                  <li key={line}>
                    <code>{name}</code>: {what.join(': ')}
                  </li>
                );
              })}
            </ul>
          )}
        </Loadable>
      </EuiText>
    </Dialog>
  );
}
