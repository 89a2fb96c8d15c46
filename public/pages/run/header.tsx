/** The header of a run: its experiment, state, target, start and duration. */
import { EuiFlexGroup, EuiFlexItem } from '@elastic/eui';
import { Fragment, type ReactNode } from 'react';
import { engineWithVersion } from '../../../common/elasticsearch/engine';
import { isExample } from '../../../common/example';
import { type RunDocument, blocksMs, failedTrials, outcomeOf } from '../../../common/experiment/run';
import { formatDuration } from '../../../common/units/format';
import { i18n } from '../../i18n';
import { ExampleOrigin } from '../../ui/example';
import { AppLink } from '../../ui/link';
import { StateBadge } from '../../ui/run-state';
import { Time, useNow } from '../../ui/time';
import { storedBlocks } from '../../../common/measurement/stored-names';
import { parseTime } from '../../../common/units/time';

export function RunHeading({ run }: { run: RunDocument }): ReactNode {
  return (
    <EuiFlexGroup gutterSize="m" alignItems="center" responsive={false} wrap>
      <EuiFlexItem grow={false}>{run.experiment.name}</EuiFlexItem>
      <EuiFlexItem grow={false} css={{ lineHeight: 1 }}>
        <StateBadge state={outcomeOf(run.run.state, failedTrials(run))} />
      </EuiFlexItem>
    </EuiFlexGroup>
  );
}

export function RunFacts({ run }: { run: RunDocument }): ReactNode {
  const { started, ended, state, waiting } = run.run;
  const now = useNow(ended === null && state !== 'waiting');
  const facts: ReactNode[] = [
    <TargetFact key="target" run={run} />,
    <span key="started">
      {state === 'queued'
        ? i18n.translate('dyno.run.queuedSince', { defaultMessage: 'Waits since' })
        : i18n.translate('dyno.run.started', { defaultMessage: 'Started' })}{' '}
      <Time iso={started} />
    </span>,
  ];
  if (ended !== null) {
    facts.push(
      <span key="ended">
        {i18n.translate('dyno.run.ended', { defaultMessage: 'Ended' })} <Time iso={ended} />
      </span>,
    );
  }
  if (waiting) {
    facts.push(
      <span key="waiting">
        {i18n.translate('dyno.run.waitingSince', { defaultMessage: 'Waits since' })}{' '}
        <Time iso={waiting.since} />
      </span>,
    );
  }
  if (state !== 'queued') facts.push(<span key="length">{formatDuration(lengthOf(run, now))}</span>);
  // The example has no link to its experiment, because the experiment is not stored on this server.
  if (isExample(run.run.id)) {
    facts.push(<ExampleOrigin key="example" />);
  } else {
    facts.push(
      <AppLink key="experiment" to={`/experiments/${encodeURIComponent(run.experiment.id)}`}>
        {i18n.translate('dyno.run.experiment', { defaultMessage: 'Experiment' })}
      </AppLink>,
    );
  }
  return facts.map((fact, index) => (
    <Fragment key={index}>
      {index === 0 ? null : <span aria-hidden> · </span>}
      <span css={{ display: 'inline-block' }}>{fact}</span>
    </Fragment>
  ));
}

/** Returns how long the run was active, in ms. Time in which the run waited for a person to change disks or machines does not count. */
function lengthOf({ run: { started, ended, state }, provenance }: RunDocument, now: number): number {
  const until = new Date(now).toISOString();
  const blocks = storedBlocks(provenance).map((block) => ({
    ...block,
    until: block.until ?? until,
  }));
  const whole = (ended === null ? now : parseTime(ended)) - parseTime(started);
  const one = blocks.length < 2 && state !== 'waiting';
  return (one ? null : blocksMs(blocks)) ?? whole;
}

function TargetFact({ run }: { run: RunDocument }): ReactNode {
  const name = run.experiment.target ?? run.definition.target;
  const cluster = run.provenance?.cluster;
  const values = { name, engine: cluster && engineWithVersion(cluster), cluster: cluster?.name };
  return (
    <span>
      {cluster === undefined
        ? i18n.translate('dyno.run.target', { defaultMessage: 'Target {name}', values })
        : i18n.translate('dyno.run.targetFound', {
            defaultMessage: 'Target {name} ({cluster}, {engine})',
            values,
          })}
    </span>
  );
}
