/** What is wrong with the definition, each with the way to its line. */
import { EuiCallOut, EuiLink, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import { describeProblem } from '../../../common/problem';
import { i18n } from '../../i18n';
import type { PlacedProblem } from './model';
import { UNREAD } from './unread';

interface ProblemPanelProps {
  problems: readonly PlacedProblem[];
  onGoTo: (problem: PlacedProblem) => void;
}

export function ProblemPanel({ problems, onGoTo }: ProblemPanelProps): ReactNode {
  if (problems.length === 0) return null;
  return (
    <EuiCallOut
      announceOnMount={false}
      id="dyno-problems"
      size="s"
      color="danger"
      iconType="error"
      title={i18n.translate('dyno.editor.problems.title', {
        defaultMessage: '{count, plural, one {# problem} other {# problems}}',
        values: { count: problems.length },
      })}
    >
      <EuiText size="s" css={{ maxBlockSize: 160, overflowY: 'auto' }}>
        <ul>
          {problems.map((problem, at) => (
            <li key={at}>
              <EuiLink color="danger" onClick={() => onGoTo(problem)}>
                {problem.code === UNREAD
                  ? i18n.translate('dyno.editor.problems.form', { defaultMessage: 'Form' })
                  : i18n.translate('dyno.editor.problems.line', {
                      defaultMessage: 'Line {line}',
                      values: { line: problem.place.line },
                    })}
              </EuiLink>
              {': '}
              {describeProblem(problem.code === 'definition.syntax' ? { ...problem, path: '' } : problem)}
            </li>
          ))}
        </ul>
      </EuiText>
    </EuiCallOut>
  );
}
