/** The page *About*: version and health of Dyno's parts. Problems come first, with advice. */
import {
  EuiButton,
  EuiCallOut,
  EuiDescriptionList,
  EuiFlexGrid,
  EuiFlexItem,
  EuiPanel,
  EuiSpacer,
  EuiText,
  EuiTitle,
  EuiToolTip,
} from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import type { About, AboutProblem } from '../../../common/api/about';
import { usePrivilege } from '../../app/context';
import { useApi } from '../../api/queries';
import { i18n } from '../../i18n';
import { Loadable } from '../../ui/loadable';
import { Page } from '../../ui/page';
import { Time } from '../../ui/time';
import { BundleDialog } from './bundle-dialog';
import { PathsPanel } from './paths-panel';
import { partsShown, type PartShown } from './parts';

/** Refresh interval, in ms. For each refresh, the server queries the results cluster, the disks and the collectors. */
const RENEW_MS = 15_000;

function ProblemCallOut({ problem }: { problem: AboutProblem }): ReactNode {
  return (
    <>
      <EuiCallOut
        size="s"
        color={problem.level === 'wrong' ? 'danger' : 'warning'}
        iconType={problem.level === 'wrong' ? 'error' : 'warning'}
        title={problem.what}
      >
        <p>{problem.next}</p>
      </EuiCallOut>
      <EuiSpacer size="s" />
    </>
  );
}

function Problems({ problems }: Pick<About, 'problems'>): ReactNode {
  if (problems.length === 0)
    return (
      <EuiCallOut
        size="s"
        color="success"
        iconType="check"
        title={i18n.translate('dyno.about.well', { defaultMessage: 'All checks passed' })}
      />
    );
  return (
    <section aria-label={i18n.translate('dyno.about.problems', { defaultMessage: 'What is wrong' })}>
      {problems.map((problem) => (
        <ProblemCallOut key={problem.what} problem={problem} />
      ))}
    </section>
  );
}

function PartPanel({ part: { title, failure, rows, note } }: { part: PartShown }): ReactNode {
  return (
    <EuiPanel hasBorder hasShadow={false} paddingSize="m" role="region" aria-label={title}>
      <EuiTitle size="xs">
        <h2>{title}</h2>
      </EuiTitle>
      <EuiSpacer size="s" />
      {failure === '' ? (
        <EuiDescriptionList
          type="column"
          compressed
          columnWidths={['12em', '1fr']}
          listItems={rows.map(({ name, value }) => ({ title: name, description: value }))}
        />
      ) : (
        <EuiText size="s" color="danger">
          <p>
            {i18n.translate('dyno.about.failed', {
              defaultMessage: 'Could not be checked: {failure}',
              values: { failure },
            })}
          </p>
        </EuiText>
      )}
      {note === undefined ? null : (
        <>
          <EuiSpacer size="s" />
          <EuiText size="xs" color="subdued">
            {note}
          </EuiText>
        </>
      )}
    </EuiPanel>
  );
}

function BundleButton({ onClick }: { onClick: () => void }): ReactNode {
  const mayManage = usePrivilege('manage');
  const button = (
    <EuiButton size="s" iconType="download" isDisabled={!mayManage} onClick={onClick}>
      {i18n.translate('dyno.about.bundle', { defaultMessage: 'Download support bundle' })}
    </EuiButton>
  );
  if (mayManage) return button;
  return (
    <EuiToolTip
      content={i18n.translate('dyno.about.bundleRefused', {
        defaultMessage: 'You need the privilege All for Dyno, because the bundle contains logs and settings.',
      })}
    >
      {button}
    </EuiToolTip>
  );
}

export default function AboutPage(): ReactNode {
  const query = useApi('getAbout', {}, { every: RENEW_MS });
  const mayManage = usePrivilege('manage');
  const [asksBundle, setAsksBundle] = useState(false);
  return (
    <Page
      title={i18n.translate('dyno.about.title', { defaultMessage: 'About' })}
      description={i18n.translate('dyno.about.description', {
        defaultMessage: 'Versions, folders, and the health of each part.',
      })}
      actions={[<BundleButton key="bundle" onClick={() => setAsksBundle(true)} />]}
    >
      <Loadable query={query}>
        {(about) => (
          <>
            <Problems problems={about.problems} />
            <EuiSpacer />
            <EuiFlexGrid columns={2} gutterSize="m">
              {partsShown(about).map((part) => (
                <EuiFlexItem key={part.title}>
                  <PartPanel part={part} />
                </EuiFlexItem>
              ))}
            </EuiFlexGrid>
            <EuiSpacer size="m" />
            {mayManage ? <PathsPanel /> : null}
            <EuiSpacer size="m" />
            <EuiText size="xs" color="subdued">
              {i18n.translate('dyno.about.at', { defaultMessage: 'Looked at' })} <Time iso={about.at} />
            </EuiText>
          </>
        )}
      </Loadable>
      {asksBundle ? <BundleDialog onClose={() => setAsksBundle(false)} /> : null}
    </Page>
  );
}
