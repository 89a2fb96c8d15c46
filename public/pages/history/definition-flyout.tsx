/** Flyout that compares the definition of a run with that of the run before, side by side. */
import {
  EuiFlyout,
  EuiFlyoutBody,
  EuiFlyoutHeader,
  EuiSpacer,
  EuiText,
  EuiTitle,
  useGeneratedHtmlId,
} from '@elastic/eui';
import type { ReactNode } from 'react';
import { formatYaml } from '../../../common/experiment/document';
import type { Definition } from '../../../common/experiment/definition';
import type { ListedRun } from '../../../common/history/history';
import { useApi } from '../../api/queries';
import { i18n } from '../../i18n';
import { Loadable } from '../../ui/loadable';
import { formatLocal } from '../../ui/time';
import { Difference } from '../editor/yaml/difference';

interface DefinitionFlyoutProps {
  before: ListedRun;
  after: ListedRun;
  onClose: () => void;
}

export default function DefinitionFlyout({ before, after, onClose }: DefinitionFlyoutProps): ReactNode {
  const titleId = useGeneratedHtmlId();
  const [was, now] = [
    useApi('getRun', { params: { id: before.run } }),
    useApi('getRun', { params: { id: after.run } }),
  ];
  return (
    <EuiFlyout onClose={onClose} size="l" aria-labelledby={titleId}>
      <EuiFlyoutHeader hasBorder>
        <EuiTitle size="s">
          <h2 id={titleId}>
            {i18n.translate('dyno.history.definition.title', { defaultMessage: 'The definition changed' })}
          </h2>
        </EuiTitle>
        <EuiSpacer size="xs" />
        <EuiText size="s" color="subdued">
          <p>
            {i18n.translate('dyno.history.definition.note', {
              defaultMessage:
                'The definitions as stored with the two runs, including all defaults. Unchanged lines are collapsed.',
            })}
          </p>
        </EuiText>
      </EuiFlyoutHeader>
      <EuiFlyoutBody>
        <Loadable query={was}>
          {(left) => (
            <Loadable query={now}>
              {(right) => (
                <Difference
                  leftTitle={formatLocal(before.at)}
                  left={textOf(left.run.definition)}
                  rightTitle={formatLocal(after.at)}
                  right={textOf(right.run.definition)}
                />
              )}
            </Loadable>
          )}
        </Loadable>
      </EuiFlyoutBody>
    </EuiFlyout>
  );
}

const textOf = (definition: Definition): string => formatYaml(definition);
