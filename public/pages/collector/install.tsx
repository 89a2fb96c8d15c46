/**
 * How to install a collector on a node: download a package with its configuration if Dyno's server can create one, otherwise install a
 * package or build it from source.
 */
import {
  EuiButton,
  EuiCodeBlock,
  EuiFieldPassword,
  EuiFlexGroup,
  EuiFlexItem,
  EuiFormRow,
  EuiSelect,
  EuiSpacer,
  EuiText,
} from '@elastic/eui';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import {
  COLLECTOR_SECRETS,
  type CollectorArchitecture,
  type CollectorSecret,
  type CollectorStatus,
} from '../../../common/api/host';
import type { ApiError } from '../../api/client';
import { useApp, usePrivilege } from '../../app/context';
import { i18n } from '../../i18n';
import { download } from '../../ui/download';
import { Part } from '../../ui/page';
import { ProblemList } from '../../ui/problems';

const secretLabel = (secret: CollectorSecret): string =>
  ({
    TARGET_SECRET: i18n.translate('dyno.collector.targetSecret', {
      defaultMessage: 'Password or API key for the target',
    }),
    RESULTS_SECRET: i18n.translate('dyno.collector.resultsSecret', {
      defaultMessage: 'API key for the results cluster',
    }),
  })[secret];

function Download({
  target,
  text,
  packages,
}: {
  target: string;
  text: string;
} & Pick<CollectorStatus, 'packages'>): ReactNode {
  const { client } = useApp();
  const [typed, setTyped] = useState<Partial<Record<CollectorSecret, string>>>({});
  const asked = COLLECTOR_SECRETS.filter((secret) => text.includes(`\${${secret}}`));
  const making = useMutation<void, ApiError, CollectorArchitecture>({
    mutationFn: async (architecture) => {
      const secrets = Object.fromEntries(
        asked.flatMap((secret) => (typed[secret] ? [[secret, typed[secret]]] : [])),
      );
      const file = await client.fetchFile('makeCollectorPackage', {
        body: { target, architecture, secrets },
      });
      download(file, `dynobeat-linux-${architecture}.tar.gz`);
    },
  });
  return (
    <>
      {asked.length === 0 ? null : (
        <>
          <EuiText size="s">
            <p>
              {i18n.translate('dyno.collector.secretsNote', {
                defaultMessage:
                  'Dyno writes this value into dynobeat.yml of the download and stores it nowhere else. To store it in dynobeat’s keystore on the node instead, leave this field empty.',
              })}
            </p>
          </EuiText>
          <EuiSpacer size="s" />
          <EuiFlexGroup wrap gutterSize="m">
            {asked.map((secret) => (
              <EuiFlexItem key={secret} grow={false}>
                <EuiFormRow label={secretLabel(secret)}>
                  <EuiFieldPassword
                    type="dual"
                    autoComplete="off"
                    value={typed[secret] ?? ''}
                    onChange={({ target: { value } }) => setTyped((known) => ({ ...known, [secret]: value }))}
                  />
                </EuiFormRow>
              </EuiFlexItem>
            ))}
          </EuiFlexGroup>
          <EuiSpacer size="m" />
        </>
      )}
      <EuiFlexGroup wrap responsive={false} gutterSize="s">
        {packages.map((architecture) => (
          <EuiFlexItem key={architecture} grow={false}>
            <EuiButton
              iconType="download"
              isLoading={making.isPending && making.variables === architecture}
              onClick={() => making.mutate(architecture)}
            >
              {i18n.translate('dyno.collector.download', {
                defaultMessage: 'Download for Linux {architecture}',
                values: { architecture },
              })}
            </EuiButton>
          </EuiFlexItem>
        ))}
      </EuiFlexGroup>
      {making.error ? (
        <>
          <EuiSpacer size="s" />
          <ProblemList problems={making.error.problems} />
        </>
      ) : null}
    </>
  );
}

/** Steps to install a collector if Dyno's server cannot create a package for download. */
function InstallSteps(): ReactNode {
  return (
    <EuiText size="s">
      <ol>
        <li>
          {i18n.translate('dyno.collector.step.package', {
            defaultMessage: 'Install the package from a release of Dyno on the node:',
          })}{' '}
          <code>sudo apt install ./dynobeat_*_amd64.deb</code>
          {i18n.translate('dyno.collector.step.or', { defaultMessage: ', or' })}{' '}
          <code>sudo dnf install ./dynobeat-*.x86_64.rpm</code>
          {i18n.translate('dyno.collector.step.build', {
            defaultMessage: '. In a checkout (Go 1.26 or newer), build the binary and copy it to',
          })}{' '}
          <code>/usr/bin/dynobeat</code>: <code>npm run build:collector</code>
        </li>
        <li>
          {i18n.translate('dyno.collector.step.configuration', {
            defaultMessage: 'Copy the configuration below to',
          })}{' '}
          <code>/etc/dynobeat/dynobeat.yml</code>
        </li>
        <li>
          <code>dynobeat test config</code>, <code>dynobeat test output</code>,{' '}
          <code>systemctl enable --now dynobeat</code>
        </li>
      </ol>
    </EuiText>
  );
}

export function Install({
  configurations,
  packages,
}: Pick<CollectorStatus, 'configurations' | 'packages'>): ReactNode {
  const [chosen, setChosen] = useState(configurations[0]?.target ?? '');
  const mayManage = usePrivilege('manage');
  const text = configurations.find(({ target }) => target === chosen)?.text ?? '';
  const hasDownload = packages.length > 0 && mayManage;
  return (
    <Part
      title={i18n.translate('dyno.collector.install', { defaultMessage: 'Install a collector on a node' })}
      note={i18n.translate('dyno.collector.installNote', {
        defaultMessage:
          'A single collector reads the statistics of all nodes. A collector on each host also reads the disks, CPU and network of that host.',
      })}
    >
      {hasDownload ? (
        <EuiText size="s">
          <p>
            {i18n.translate('dyno.collector.downloadNote', {
              defaultMessage:
                'The download contains the binary, a systemd unit, the configuration below, and a README.txt with the commands.',
            })}
          </p>
        </EuiText>
      ) : (
        <InstallSteps />
      )}
      <EuiSpacer />
      <EuiSelect
        aria-label={i18n.translate('dyno.collector.target', { defaultMessage: 'Target' })}
        prepend={i18n.translate('dyno.collector.target', { defaultMessage: 'Target' })}
        options={configurations.map(({ target }) => ({ value: target, text: target }))}
        value={chosen}
        onChange={({ target }) => setChosen(target.value)}
      />
      <EuiSpacer />
      {hasDownload ? (
        <>
          <Download key={chosen} target={chosen} text={text} packages={packages} />
          <EuiSpacer />
        </>
      ) : null}
      <EuiCodeBlock language="yaml" isCopyable paddingSize="m" overflowHeight={480}>
        {text}
      </EuiCodeBlock>
    </Part>
  );
}
