/**
 * The first screen of a result. It shows the answer to the hypothesis, the size of the effect, all trials in a chart, and five facts about
 * the run.
 */
import { EuiLink, EuiPanel, EuiPopover, EuiSpacer, EuiText, useEuiTheme } from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import type { Glance, GlanceEffect } from '../../../common/report/glance';
import type { Report } from '../../../common/report/model/report';
import { i18n } from '../../i18n';
import { AnswerChip } from '../../ui/answer-chip';
import { Claims } from '../../ui/claims';
import { FactPanels } from './fact-panels';
import { FocusPlot } from './focus-plot';
import { TrustLine } from '../../ui/trust-line';

/** Width of the panel in px. If the panel is narrower, the chart is below the verdict instead of next to it. */
const STACKED = 720;
/** A number with more characters than this is shown in a smaller font. */
const LONG_NUMBER = 8;
/** A sentence with more characters than this is shown in a smaller font. */
const LONG_SENTENCE = 190;
/** Maximum number of failed trials that are listed if no trial completed. */
const MOST_LOST = 5;

function Effect({ effect: { value, of, interval, isClear } }: { effect: GlanceEffect }): ReactNode {
  const { euiTheme } = useEuiTheme();
  return (
    <div>
      <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 12 }}>
        <span
          css={{
            fontSize: value.length > LONG_NUMBER ? 30 : 56,
            lineHeight: 1.1,
            [`@container (max-width: ${STACKED}px)`]: { fontSize: value.length > LONG_NUMBER ? 28 : 40 },
            letterSpacing: '-0.02em',
            fontWeight: euiTheme.font.weight.bold,
            // An effect that may be zero is less prominent.
            color: isClear ? euiTheme.colors.textHeading : euiTheme.colors.textSubdued,
            fontVariantNumeric: 'tabular-nums',
          }}
          data-test-subj="dynoEffect"
        >
          {value}
        </span>
        <span
          css={{
            flex: '1 1 130px',
            fontSize: 14,
            lineHeight: '19px',
            fontWeight: euiTheme.font.weight.semiBold,
            color: euiTheme.colors.textHeading,
          }}
        >
          {of}
        </span>
      </div>
      <EuiText size="s" color="subdued" data-test-subj="dynoEffectInterval">
        <p>{interval}</p>
      </EuiText>
    </div>
  );
}

/** A link to the claims that the first screen does not show. It opens a popover with all claims. */
function OtherClaims({ glance: { claims, others } }: { glance: Glance }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  if (others === '') return null;
  return (
    <EuiPopover
      isOpen={isOpen}
      closePopover={() => setOpen(false)}
      aria-label={i18n.translate('dyno.result.claims', { defaultMessage: 'All claims' })}
      panelProps={{ css: { maxInlineSize: 'min(560px, 92vw)', maxBlockSize: '70vh', overflowY: 'auto' } }}
      button={
        <EuiLink onClick={() => setOpen(!isOpen)} css={{ fontSize: 13 }}>
          {others}
        </EuiLink>
      }
    >
      <Claims claims={claims} />
    </EuiPopover>
  );
}

/** Lists the trials without a result, with the reasons. */
function LostTrials({ report }: { report: Report }): ReactNode {
  const lost = report.trials.filter(({ state }) => state !== 'running');
  if (lost.length === 0) return null;
  return (
    <EuiText size="s">
      <ul>
        {lost.slice(0, MOST_LOST).map(({ id, order, cell, state, reason }) => (
          <li key={id}>
            #{order + 1} {cell}: {state}
            {reason === '' ? '' : `, ${reason}`}
          </li>
        ))}
      </ul>
    </EuiText>
  );
}

interface FirstScreenProps {
  report: Report;
  glance: Glance;
  /** Opens the notes on the result. */
  onNotes: () => void;
  /** Opens the proposed next step, such as the next experiment in the editor. Null if the user may not take this step. */
  onStep: (() => void) | null;
}

export function FirstScreen({ report, glance, onNotes, onStep }: FirstScreenProps): ReactNode {
  const { euiTheme } = useEuiTheme();
  const { state, progress, effect, claim, sentence, trust } = glance;
  const hasTrials = report.run.trials.completed > 0;
  return (
    <section
      aria-label={i18n.translate('dyno.result.verdict', { defaultMessage: 'Verdict' })}
      css={{ containerType: 'inline-size' }}
    >
      <EuiPanel
        hasBorder
        hasShadow={false}
        paddingSize="none"
        css={{
          display: 'grid',
          gridTemplateColumns: hasTrials ? 'minmax(280px, 340px) minmax(0, 1fr)' : '1fr',
          columnGap: 32,
          rowGap: euiTheme.size.m,
          padding: '16px 24px',
          [`@container (max-width: ${STACKED}px)`]: {
            gridTemplateColumns: 'minmax(0, 1fr)',
            rowGap: euiTheme.size.s,
            padding: `${euiTheme.size.s} ${euiTheme.size.m}`,
          },
        }}
      >
        <div
          css={{
            display: 'flex',
            flexDirection: 'column',
            justifyContent: 'center',
            gap: euiTheme.size.s,
            minInlineSize: 0,
          }}
        >
          <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: euiTheme.size.s }}>
            <AnswerChip state={state} trust={trust?.level} />
            {claim === '' ? null : (
              <EuiText
                size="xs"
                color="subdued"
                title={claim}
                css={{
                  flex: '1 1 180px',
                  overflowWrap: 'anywhere',
                  // The sentence below repeats the claim, so on a phone one line is enough.
                  [`@container (max-width: ${STACKED}px)`]: {
                    minInlineSize: 0,
                    whiteSpace: 'nowrap',
                    overflow: 'hidden',
                    textOverflow: 'ellipsis',
                  },
                }}
              >
                {i18n.translate('dyno.result.claim', {
                  defaultMessage: 'Claim: {claim}',
                  values: { claim },
                })}
              </EuiText>
            )}
            {progress === '' ? null : (
              <EuiText size="s" color="subdued">
                {progress}
              </EuiText>
            )}
          </div>
          {effect === null ? null : <Effect effect={effect} />}
          <h2
            css={{
              fontSize: sentence.length > LONG_SENTENCE ? 13 : 14,
              lineHeight: sentence.length > LONG_SENTENCE ? '18px' : '20px',
              fontWeight: euiTheme.font.weight.medium,
              color: euiTheme.colors.textParagraph,
              overflowWrap: 'anywhere',
            }}
          >
            {sentence}
          </h2>
          <OtherClaims glance={glance} />
          {trust === null ? null : <TrustLine trust={trust} onWhy={onNotes} />}
          {hasTrials ? null : <LostTrials report={report} />}
        </div>
        {hasTrials ? (
          <div css={{ minInlineSize: 0, alignSelf: 'center' }}>
            <FocusPlot report={report} />
          </div>
        ) : null}
      </EuiPanel>
      <EuiSpacer size="m" />
      <FactPanels facts={glance.facts} onNotes={onNotes} onStep={onStep} />
    </section>
  );
}
