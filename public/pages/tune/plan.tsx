/**
 * The plan of an automatic tuning before it starts: its duration, the settings that it will try in their order, and the settings that it
 * leaves out.
 */
import { EuiAccordion, EuiSpacer, EuiText, useGeneratedHtmlId } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { TuningPlan, Outcome } from '../../../common/tuning/tuning';
import { formatDuration } from '../../../common/units/format';
import { i18n } from '../../i18n';
import { OWN_HEIGHT } from '../../ui/accordion';

export function UntriedList({ untried }: { untried: Outcome['untried'] }): ReactNode {
  const id = useGeneratedHtmlId();
  if (untried.length === 0) return null;
  return (
    <EuiAccordion
      id={id}
      css={OWN_HEIGHT}
      buttonContent={i18n.translate('dyno.tune.untried', {
        defaultMessage: 'Not tried, and why: {count}',
        values: { count: untried.length },
      })}
      paddingSize="s"
    >
      <EuiText size="s">
        <ul>
          {untried.map(({ title, value, why }) => (
            <li key={`${title} ${value}`}>
              {title}
              {value === '' ? '' : ` ${value}`}: {why}
            </li>
          ))}
        </ul>
      </EuiText>
    </EuiAccordion>
  );
}

export function PlanView({ plan, limits }: { plan: TuningPlan; limits: readonly string[] }): ReactNode {
  return (
    <>
      <EuiText size="s" data-test-subj="dynoTunePlan">
        <p>
          <strong>
            {i18n.translate('dyno.tune.plan.time', {
              defaultMessage: 'At most about {time}, in trials of about {trial}',
              values: { time: formatDuration(plan.ms), trial: formatDuration(plan.trialMs) },
            })}
          </strong>
        </p>
        <ol>
          {plan.rounds.map(({ candidates, repetitions, trials, ms }, at) => (
            <li key={at}>
              {i18n.translate('dyno.tune.plan.round', {
                defaultMessage:
                  '{candidates, plural, one {# candidate} other {# candidates}} against the starting settings, {repetitions} times each: {trials} trials, {time}',
                values: { candidates, repetitions, trials, time: formatDuration(ms) },
              })}
            </li>
          ))}
          {plan.together === null ? null : (
            <li>
              {i18n.translate('dyno.tune.plan.together', {
                defaultMessage:
                  'All improvements together, and without each of them: {trials} trials, {time}',
                values: { trials: plan.together.trials, time: formatDuration(plan.together.ms) },
              })}
            </li>
          )}
          <li>
            {i18n.translate('dyno.tune.plan.confirmation', {
              defaultMessage:
                'Starting against final settings, with separate data: {trials} trials, {time}. The recommendation depends on this comparison alone.',
              values: { trials: plan.confirmation.trials, time: formatDuration(plan.confirmation.ms) },
            })}
          </li>
        </ol>
        <p>
          {limits.length === 0
            ? i18n.translate('dyno.tune.plan.noLimit', { defaultMessage: 'No limit is set.' })
            : i18n.translate('dyno.tune.plan.limits', {
                defaultMessage: 'Limits: {limits}.',
                values: { limits: limits.join(', ') },
              })}
        </p>
        <h3>
          {i18n.translate('dyno.tune.plan.candidates', {
            defaultMessage: 'Candidates, largest expected gain first',
          })}
        </h3>
        <ol>
          {plan.candidates.map(({ id, title, from, value, costs }) => (
            <li key={id}>
              {title}: {from} → {value}. {costs}
            </li>
          ))}
        </ol>
        {plan.notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </EuiText>
      <EuiSpacer size="s" />
      <UntriedList untried={plan.untried} />
    </>
  );
}
