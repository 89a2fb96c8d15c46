/** Dyno's folders and files, for users with the privilege to manage it. */
import { EuiCode, EuiDescriptionList, EuiPanel, EuiSpacer, EuiText, EuiTitle } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { AboutPaths } from '../../../common/api/about';
import { useApi } from '../../api/queries';
import { i18n } from '../../i18n';
import { Loadable } from '../../ui/loadable';

type Folder = AboutPaths['paths'][number];

/** Returns a description of a folder of Dyno. `name`: identifier from the server, such as `spool`. */
const holds = (name: string): string =>
  ({
    data: i18n.translate('dyno.about.path.data', { defaultMessage: 'Data' }),
    cache: i18n.translate('dyno.about.path.cache', {
      defaultMessage: 'Cache (can be deleted, Dyno recreates it)',
    }),
    spool: i18n.translate('dyno.about.path.spool', { defaultMessage: 'Spool' }),
    logs: i18n.translate('dyno.about.path.logs', { defaultMessage: 'Logs' }),
    corpora: i18n.translate('dyno.about.path.corpora', { defaultMessage: 'Corpora (files of experiments)' }),
    elasticsearch: i18n.translate('dyno.about.path.elasticsearch', {
      defaultMessage: 'Embedded Elasticsearch',
    }),
  })[name] ?? name;

const stateText = ({ state }: Folder): string => {
  switch (state) {
    case 'there':
      return '';
    case 'absent':
      return i18n.translate('dyno.about.path.absent', { defaultMessage: 'not made yet' });
    case 'closed':
      return i18n.translate('dyno.about.path.closed', {
        defaultMessage: 'the user that runs Dyno may not read or write it',
      });
  }
};

export function PathsPanel(): ReactNode {
  const query = useApi('getAboutPaths', {});
  const title = i18n.translate('dyno.about.paths', { defaultMessage: 'Folders' });
  return (
    <EuiPanel hasBorder hasShadow={false} paddingSize="m" role="region" aria-label={title}>
      <EuiTitle size="xs">
        <h2>{title}</h2>
      </EuiTitle>
      <EuiSpacer size="s" />
      <Loadable query={query}>
        {({ paths }) => (
          <EuiDescriptionList
            type="responsiveColumn"
            compressed
            columnWidths={['16em', '1fr']}
            css={{ '.euiDescriptionList__description': { minInlineSize: 0, overflowWrap: 'anywhere' } }}
            listItems={paths.map((folder) => ({
              title: holds(folder.name),
              description: (
                <>
                  <EuiCode transparentBackground>{folder.path}</EuiCode>
                  {folder.state === 'there' ? null : (
                    <EuiText
                      size="xs"
                      color={folder.state === 'closed' ? 'danger' : 'subdued'}
                      component="span"
                    >
                      {' '}
                      ({stateText(folder)})
                    </EuiText>
                  )}
                </>
              ),
            }))}
          />
        )}
      </Loadable>
    </EuiPanel>
  );
}
