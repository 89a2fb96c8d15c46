/** Shows the result of a run in large type: a word such as *confirmed*, with a colour and an icon. */
import { EuiIcon, useEuiTheme } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { TrustLevel } from '../../common/analysis/trust';
import { meaningOfState, stateWords, type GlanceState } from '../../common/report/glance';
import { usePictureColours } from './picture-colours';

const ICONS: Readonly<Record<GlanceState, string>> = {
  confirmed: 'check',
  refuted: 'cross',
  undecided: 'question',
  'no-claim': 'minus',
  queued: 'clock',
  running: 'play',
  waiting: 'hourglass',
  failed: 'error',
  cancelled: 'minusCircle',
  interrupted: 'pause',
  'no-trials': 'error',
};

interface AnswerChipProps {
  state: GlanceState;
  /** How reliable the result is; undefined if unknown. An unreliable result is shown without a colour. */
  trust?: TrustLevel | undefined;
}

export function AnswerChip({ state, trust }: AnswerChipProps): ReactNode {
  const { euiTheme } = useEuiTheme();
  const { soft, ink } = usePictureColours()[meaningOfState(state, trust)];
  return (
    <span
      css={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: euiTheme.size.xs,
        padding: '3px 12px 3px 10px',
        borderRadius: 999,
        fontSize: 14,
        lineHeight: '20px',
        fontWeight: euiTheme.font.weight.semiBold,
        background: soft,
        color: ink,
      }}
      data-test-subj="dynoAnswer"
    >
      <EuiIcon type={ICONS[state]} size="m" color="currentColor" aria-hidden />
      {stateWords(state)}
    </span>
  );
}
