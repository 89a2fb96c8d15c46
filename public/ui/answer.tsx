/** The answer to a hypothesis, as a word, a colour and an icon. */
import { EuiBadge } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { Verdict } from '../../common/experiment/run';
import { i18n } from '../i18n';

type Answer = Verdict['answer'];

const LOOK: Readonly<Record<Answer, { color: string; icon: string }>> = {
  confirmed: { color: 'success', icon: 'checkCircle' },
  refuted: { color: 'danger', icon: 'crossCircle' },
  undecided: { color: 'hollow', icon: 'question' },
  'no-claim': { color: 'hollow', icon: 'minus' },
};

export const answerName = (answer: Answer): string =>
  ({
    confirmed: i18n.translate('dyno.answer.confirmed', { defaultMessage: 'confirmed' }),
    refuted: i18n.translate('dyno.answer.refuted', { defaultMessage: 'refuted' }),
    undecided: i18n.translate('dyno.answer.undecided', { defaultMessage: 'undecided' }),
    'no-claim': i18n.translate('dyno.answer.noClaim', { defaultMessage: 'no claim' }),
  })[answer];

export function AnswerBadge({ answer }: { answer: Answer }): ReactNode {
  const { color, icon } = LOOK[answer];
  return (
    <EuiBadge color={color} iconType={icon}>
      {answerName(answer)}
    </EuiBadge>
  );
}
