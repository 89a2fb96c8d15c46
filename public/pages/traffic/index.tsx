/**
 * The page *Recorded traffic*. It lists the recordings that the server may read. If the URL names a recording, it summarises that recording
 * instead.
 */
import type { ReactNode } from 'react';
import { i18n } from '../../i18n';
import { Page } from '../../ui/page';
import { useQueryState } from '../../ui/query-state';
import { TrafficFiles } from './files';
import { Recording } from './recording';

export default function TrafficPage(): ReactNode {
  const [file] = useQueryState('file');
  const [target] = useQueryState('target');
  if (file !== '') return <Recording file={file} target={target === '' ? null : target} />;
  return (
    <Page
      title={i18n.translate('dyno.traffic.title', { defaultMessage: 'Recorded traffic' })}
      above={[
        { text: i18n.translate('dyno.targets.title', { defaultMessage: 'Targets' }), path: '/targets' },
      ]}
      description={i18n.translate('dyno.traffic.description', {
        defaultMessage:
          'Requests that clients sent to a cluster. The page of a target shows how to record them.',
      })}
    >
      <TrafficFiles />
    </Page>
  );
}
