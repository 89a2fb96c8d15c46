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
              'A zip for those who are to help. Passwords, keys, tokens, cookies and private keys are removed from it. Names of hosts, indices, experiments and folders are in it: look through it before you give it away.',
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
