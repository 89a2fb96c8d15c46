/**
 * The privileges that Dyno needs, shown as requests that create a role. Administrators can copy these requests. Users without privileges
 * can pass them on.
 */
import { EuiButtonGroup, EuiCodeBlock, EuiSpacer, EuiText } from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import {
  elasticsearchRequest,
  EXISTING_NEEDS,
  kibanaRequest,
  MORE_NEEDS,
  NEEDS,
  USES,
  type Use,
} from '../../../common/privileges';
import { useApp } from '../../app/context';
import type { AppHost } from '../../app/host';
import { i18n } from '../../i18n';
import { Page, Part } from '../../ui/page';

const nameOf = (use: Use): string =>
  ({
    run: i18n.translate('dyno.privileges.run', { defaultMessage: 'Define and run experiments' }),
    look: i18n.translate('dyno.privileges.look', { defaultMessage: 'View only' }),
  })[use];

function Request({ language, text }: { language: string; text: string }): ReactNode {
  return (
    <EuiCodeBlock language={language} isCopyable paddingSize="m">
      {text}
    </EuiCodeBlock>
  );
}

/**
 * Returns the complete URL of Kibana for examples to copy, including its base path. Kibana adds its base path only to paths that begin with
 * a slash.
 */
const kibanaUrl = ({ urlOf }: Pick<AppHost, 'urlOf'>): string =>
  window.location.origin + urlOf('/').replace(/\/$/, '');

function Requests({ use }: { use: Use }): ReactNode {
  const { host } = useApp();
  return (
    <>
      <Part
        title={i18n.translate('dyno.privileges.kibana', {
          defaultMessage: 'The complete role, through Kibana’s API',
        })}
        note={i18n.translate('dyno.privileges.kibanaNote', {
          defaultMessage:
            'This request grants the feature Dyno in all spaces, and the privileges that it needs in Elasticsearch. Then assign {role} to the users.',
          values: { role: NEEDS[use].role },
        })}
      >
        <Request language="bash" text={kibanaRequest(use, kibanaUrl(host))} />
      </Part>
      <Part
        title={i18n.translate('dyno.privileges.elasticsearch', {
          defaultMessage: 'Only the privileges in Elasticsearch, in Dev Tools',
        })}
        note={i18n.translate('dyno.privileges.elasticsearchNote', {
          defaultMessage:
            'For users who already have the Dyno feature from another role. This request replaces an existing role {role}, including its Kibana privileges.',
          values: { role: NEEDS[use].role },
        })}
      >
        <Request language="json" text={elasticsearchRequest(use)} />
      </Part>
    </>
  );
}

export default function PrivilegesPage(): ReactNode {
  const [use, setUse] = useState<Use>('run');
  return (
    <Page
      title={i18n.translate('dyno.privileges.title', { defaultMessage: 'Privileges' })}
      above={[
        { text: i18n.translate('dyno.targets.title', { defaultMessage: 'Targets' }), path: '/targets' },
      ]}
      description={i18n.translate('dyno.privileges.description', {
        defaultMessage:
          'Dyno reads and writes with the rights of the current user. An administrator grants the privileges on the cluster of this Kibana. Other targets have their own credentials.',
      })}
    >
      <EuiButtonGroup
        legend={i18n.translate('dyno.privileges.use', { defaultMessage: 'What the user does' })}
        options={USES.map((id) => ({ id, label: nameOf(id) }))}
        idSelected={use}
        onChange={(id) => setUse(id as Use)}
      />
      <EuiSpacer size="l" />
      <EuiText size="s">
        <p>
          {i18n.translate('dyno.privileges.where', {
            defaultMessage:
              'If dyno.results.hosts names another cluster for the results, its credentials need the privileges on dyno-*.',
          })}
        </p>
        {use === 'run' ? (
          <p>
            {i18n.translate('dyno.privileges.more', {
              defaultMessage:
                'Some experiments need more cluster privileges: {pipelines} to parse lines with an ingest pipeline, {snapshots} to restore an index from a snapshot, {cluster} to change cluster settings. If a privilege is missing, the run reports it before it begins.',
              values: MORE_NEEDS,
            })}
          </p>
        ) : null}
        {use === 'run' ? (
          <p>
            {i18n.translate('dyno.privileges.existing', {
              defaultMessage:
                'For existing data (index.existing), these privileges are needed: {search} to search the data, additionally {write} to write to it, and {cold} to empty its caches. The right to create or delete indices is not needed.',
              values: {
                search: EXISTING_NEEDS.search.join(', '),
                write: EXISTING_NEEDS.write.join(', '),
                cold: EXISTING_NEEDS.cold.join(', '),
              },
            })}
          </p>
        ) : null}
      </EuiText>
      <EuiSpacer size="l" />
      <Requests use={use} />
    </Page>
  );
}
