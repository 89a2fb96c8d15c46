/** Claims with their answers and reasons. */
import { EuiFlexGroup, EuiFlexItem, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { Verdict } from '../../common/experiment/run';
import { AnswerBadge } from './answer';

interface ClaimsProps {
  claims: Verdict['claims'];
  /** The sentence above the claims. A reason that it contains is not repeated. */
  sentence?: string;
}

export function Claims({ claims, sentence = '' }: ClaimsProps): ReactNode {
  return (
    <ul css={{ listStyle: 'none', '&&': { margin: 0 } }}>
      {claims.map(({ claim, answer, why }) => (
        <li key={claim} css={{ '&&': { marginBlockEnd: 6 } }}>
          <EuiFlexGroup gutterSize="s" responsive={false} alignItems="flexStart">
            <EuiFlexItem grow={false}>
              <AnswerBadge answer={answer} />
            </EuiFlexItem>
            <EuiFlexItem css={{ minInlineSize: 0 }}>
              <EuiText size="s" css={{ overflowWrap: 'anywhere' }}>
                <code>{claim}</code>
                {sentence.includes(why) ? null : <div>{why}</div>}
              </EuiText>
            </EuiFlexItem>
          </EuiFlexGroup>
        </li>
      ))}
    </ul>
  );
}
