/** Problems in the same words as on the command line: path, problem, value found, and allowed values. */
import { EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import { describeProblem, type Problem } from '../../common/problem';
import { PrivilegesLink } from './privileges';

export function ProblemList({ problems }: { problems: readonly Problem[] }): ReactNode {
  if (problems.length === 1) {
    return (
      <EuiText size="s">
        <p>{describeProblem(problems[0]!)}</p>
        <PrivilegesLink problems={problems} />
      </EuiText>
    );
  }
  return (
    <EuiText size="s">
      <ul>
        {problems.map((problem, at) => (
          <li key={at}>{describeProblem(problem)}</li>
        ))}
      </ul>
      <PrivilegesLink problems={problems} />
    </EuiText>
  );
}
