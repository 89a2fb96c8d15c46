/** What came out, in a sentence, with its reasons and what must be known before trusting it. */
import {
  EuiBadge,
  EuiCallOut,
  EuiFlexGroup,
  EuiFlexItem,
  EuiIcon,
  EuiPanel,
  EuiSpacer,
  EuiText,
  EuiTitle,
} from '@elastic/eui';
import type { ReactNode } from 'react';
import { FINAL_STATES } from '../../../common/experiment/run';
import { answerAndRest, failureSentence } from '../../../common/report/model/facts';
import type { Report } from '../../../common/report/model/report';
import { i18n } from '../../i18n';
import { AnswerBadge } from '../../ui/answer';
import { Claims } from '../../ui/claims';
import { AppLink } from '../../ui/link';

const PANELS: Record<Report['verdict']['answer'], 'success' | 'danger' | 'warning' | 'subdued'> = {
  confirmed: 'success',
  refuted: 'danger',
  undecided: 'subdued',
  'no-claim': 'subdued',
};

/** A confirmed answer is green only if it can be trusted. */
const panelOf = ({ verdict: { answer }, trust }: Report): (typeof PANELS)['confirmed'] =>
  answer === 'confirmed' && trust?.level !== 'high' ? 'warning' : PANELS[answer];

export const isOver = ({ run }: Report): boolean => FINAL_STATES.includes(run.state);

/** Longer than this, it is set smaller. */
const LONG = 140;

/** What follows the answer, which the badge says; where it goes on in the same clause, the whole. */
function sentenceOf(report: Report): string {
  const rest = answerAndRest(report)[1];
  if (!rest.startsWith(': ')) return report.verdict.sentence;
  return rest.charAt(2).toUpperCase() + rest.slice(3);
}

/** For a run of which no trial counts: there is no verdict to show. */
function NoTrials({ report }: { report: Report }): ReactNode {
  const { run } = report;
  const over = isOver(report);
  const lost = report.trials.filter(({ state }) => state !== 'running');
  return (
    <EuiCallOut
      announceOnMount={false}
      color={over ? 'danger' : 'primary'}
      iconType={over ? 'error' : 'clock'}
      title={
        over
          ? i18n.translate('dyno.result.none.title', {
              defaultMessage: 'No trial completed, so there is no result',
            })
          : i18n.translate('dyno.result.notYet.title', { defaultMessage: 'No trial has completed yet' })
      }
    >
      <EuiText size="s">
        {run.reason === '' ? null : <p>{run.reason}</p>}
        {lost.length === 0 ? null : (
          <ul>
            {lost.slice(0, 5).map(({ id, order, cell, state, reason }) => (
              <li key={id}>
                #{order + 1} {cell}: {state}
                {reason === '' ? '' : `, ${reason}`}
              </li>
            ))}
          </ul>
        )}
        <p>
          <AppLink to={`/runs/${encodeURIComponent(run.id)}`}>
            {over
              ? i18n.translate('dyno.result.none.log', {
                  defaultMessage: 'Open its timeline and event log',
                })
              : i18n.translate('dyno.result.notYet.watch', { defaultMessage: 'Open the run' })}
          </AppLink>
        </p>
      </EuiText>
    </EuiCallOut>
  );
}

export function VerdictPart({ report }: { report: Report }): ReactNode {
  const { verdict, experiment, warnings, run } = report;
  const label = i18n.translate('dyno.result.verdict', { defaultMessage: 'Verdict' });
  const counted = run.trials.completed > 0;
  const sentence = sentenceOf(report);
  const failure = failureSentence(report);
  return (
    <section aria-label={label}>
      {failure === '' ? null : (
        <>
          <EuiCallOut announceOnMount={false} color="danger" iconType="warning" title={failure} />
          <EuiSpacer size="m" />
        </>
      )}
      {counted ? (
        <EuiPanel color={panelOf(report)} hasShadow={false} paddingSize="l">
          <EuiFlexGroup gutterSize="s" responsive={false} wrap alignItems="center">
            <EuiFlexItem grow={false}>
              <AnswerBadge answer={verdict.answer} />
            </EuiFlexItem>
            {isOver(report) ? null : (
              <EuiFlexItem grow={false}>
                <EuiBadge iconType="clock" color="hollow">
                  {i18n.translate('dyno.result.soFar', {
                    defaultMessage: 'So far: {completed} of {planned} trials',
                    values: { ...run.trials },
                  })}
                </EuiBadge>
              </EuiFlexItem>
            )}
          </EuiFlexGroup>
          <EuiSpacer size="s" />
          <EuiTitle size={sentence.length > LONG ? 'xs' : 's'}>
            <h2>{sentence}</h2>
          </EuiTitle>
          {experiment.hypothesis === '' ? null : (
            <EuiText size="s">
              <p css={{ '&&': { marginBlockStart: 8 } }}>
                {i18n.translate('dyno.result.hypothesis', {
                  defaultMessage: 'Hypothesis: {hypothesis}',
                  values: { hypothesis: experiment.hypothesis },
                })}
              </p>
            </EuiText>
          )}
          {verdict.claims.length === 0 ? null : (
            <>
              <EuiSpacer size="m" />
              <Claims claims={verdict.claims} sentence={verdict.sentence} />
            </>
          )}
        </EuiPanel>
      ) : (
        <NoTrials report={report} />
      )}
      {counted && warnings.length > 0 ? (
        <>
          <EuiSpacer size="m" />
          <EuiPanel hasBorder hasShadow={false} paddingSize="m">
            <EuiText size="s">
              <h3>
                <EuiIcon type="warning" color="warning" aria-hidden />{' '}
                {i18n.translate('dyno.result.warnings', { defaultMessage: 'Before you trust it' })}
              </h3>
              <ul>
                {warnings.map((warning) => (
                  <li key={warning}>{warning}</li>
                ))}
              </ul>
            </EuiText>
          </EuiPanel>
        </>
      ) : null}
      <EuiSpacer size="xl" />
    </section>
  );
}
