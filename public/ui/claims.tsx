/** Lists the claims of an experiment, such as `queries.latency.p95 falls`, each with its answer and the reason. */
import { EuiFlexGroup, EuiFlexItem, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { Verdict } from '../../common/experiment/run';
import { AnswerBadge } from './answer';

interface ClaimsProps {
  claims: Verdict['claims'];
  /** Sentence that the page shows above the claims. If this sentence already contains the reason of a claim, the list omits the reason. */
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
