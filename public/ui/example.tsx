/** Dyno's example run, shown to users without own results: its question, its answer, and where it was measured. */
import {
  EuiButton,
  EuiButtonEmpty,
  EuiFlexGroup,
  EuiFlexItem,
  EuiPanel,
  EuiSpacer,
  EuiText,
  EuiTitle,
} from '@elastic/eui';
import type { ReactNode } from 'react';
import { EXAMPLE } from '../../common/example';
import { i18n } from '../i18n';
import { AnswerBadge } from './answer';
import { AppLink, useLinkProps } from './link';
import { Time } from './time';

const path = `/runs/${encodeURIComponent(EXAMPLE.run.id)}`;

/** Says when and on which machine the example run was recorded, and that it does not change. */
export function ExampleOrigin(): ReactNode {
  const { machine, note, run } = EXAMPLE;
  return (
    <span>
      {i18n.translate('dyno.example.recorded', { defaultMessage: 'A real run, recorded' })}{' '}
      <Time iso={run.started} />{' '}
      {i18n.translate('dyno.example.machine', {
        defaultMessage: 'on a machine of {machine}. {note} It is read-only.',
        values: { machine, note },
      })}
    </span>
  );
}

export function ExamplePanel(): ReactNode {
  const linkProps = useLinkProps();
  const { answer, sentence, experiment } = EXAMPLE.run;
  return (
    <EuiPanel hasBorder data-test-subj="dynoExample">
      <EuiTitle size="xs">
        <h2>
          {i18n.translate('dyno.example.title', {
            defaultMessage: 'Recorded example: {name}',
            values: { name: experiment.name },
          })}
        </h2>
      </EuiTitle>
      <EuiSpacer size="s" />
      <EuiText size="s">
        <p>
          {answer === null ? null : <AnswerBadge answer={answer} />} {sentence}
        </p>
        <p>
          <ExampleOrigin />
        </p>
      </EuiText>
      <EuiFlexGroup gutterSize="s" responsive={false} wrap css={{ marginBlockStart: 12 }}>
        <EuiFlexItem grow={false}>
          <EuiButton size="s" iconType="chartBarHorizontal" {...linkProps(`${path}/result`)}>
            {i18n.translate('dyno.example.result', { defaultMessage: 'Open its result' })}
          </EuiButton>
        </EuiFlexItem>
        <EuiFlexItem grow={false}>
          <EuiButtonEmpty size="s" iconType="chartLine" {...linkProps(path)}>
            {i18n.translate('dyno.example.timeline', { defaultMessage: 'Timeline of the run' })}
          </EuiButtonEmpty>
        </EuiFlexItem>
      </EuiFlexGroup>
    </EuiPanel>
  );
}

/** A link to the example run, below a list of the user's own runs. */
export function ExampleLine(): ReactNode {
  return (
    <EuiText size="xs" color="subdued">
      <p>
        <AppLink to={`${path}/result`}>
          {i18n.translate('dyno.example.title', {
            defaultMessage: 'Recorded example: {name}',
            values: { name: EXAMPLE.run.experiment.name },
          })}
        </AppLink>
        {'. '}
        <ExampleOrigin />
      </p>
    </EuiText>
  );
}
