/** Field for the cluster under test. It also shows whether the cluster responds. */
import {
  EuiButton,
  EuiCallOut,
  EuiFlexGroup,
  EuiFlexItem,
  EuiFormRow,
  EuiSelect,
  EuiSpacer,
} from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import { LOCAL_TARGET, type TargetFacts } from '../../../../common/api/targets';
import { engineWithVersion } from '../../../../common/elasticsearch/engine';
import { formatBytes } from '../../../../common/units/format';
import { useApi } from '../../../api/queries';
import { i18n } from '../../../i18n';
import { AppLink } from '../../../ui/link';
import { ProblemList } from '../../../ui/problems';
import { asText, useField } from './context';

function factsTitle({ reachable, cluster, nodes, problem }: TargetFacts): string {
  if (!reachable || !cluster) {
    return problem || i18n.translate('dyno.editor.target.away', { defaultMessage: 'It does not answer.' });
  }
  return i18n.translate('dyno.editor.target.answers', {
    defaultMessage: '{name}: {engine}, {health}, {count, plural, one {# node} other {# nodes}}',
    values: {
      name: cluster.name,
      engine: engineWithVersion(cluster),
      health: cluster.health,
      count: nodes.length,
    },
  });
}

function Facts({ facts }: { facts: TargetFacts }): ReactNode {
  const { reachable, cluster, nodes, problem, notes } = facts;
  const fine = reachable && problem === '' && cluster?.health !== 'red';
  return (
    <EuiCallOut
      announceOnMount
      size="s"
      color={fine ? 'success' : reachable ? 'warning' : 'danger'}
      iconType={fine ? 'check' : 'warning'}
      title={factsTitle(facts)}
    >
      {reachable && problem !== '' ? <p>{problem}</p> : null}
      {nodes.length === 0 ? null : (
        <ul>
          {nodes.slice(0, 5).map((node) => (
            <li key={node.name}>
              {i18n.translate('dyno.editor.target.node', {
                defaultMessage: '{name}: {cores} cores, {heap} heap, {free} of {total} disk free ({disk})',
                values: {
                  name: node.name,
                  cores: node.cores,
                  heap: formatBytes(node.heapBytes),
                  free: formatBytes(node.diskFreeBytes),
                  total: formatBytes(node.diskTotalBytes),
                  disk: node.disk,
                },
              })}
            </li>
          ))}
        </ul>
      )}
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </EuiCallOut>
  );
}

function TargetTest({ id }: { id: string }): ReactNode {
  const query = useApi('inspectTarget', { params: { id } });
  const { data, error, isFetching } = query;
  if (isFetching && !data) {
    return (
      <EuiCallOut
        size="s"
        iconType="clock"
        title={i18n.translate('dyno.editor.target.asking', { defaultMessage: 'Connecting to the cluster…' })}
      />
    );
  }
  if (data) return <Facts facts={data} />;
  return error ? (
    <EuiCallOut
      announceOnMount
      size="s"
      color="danger"
      iconType="error"
      title={i18n.translate('dyno.editor.target.failed', {
        defaultMessage: 'The cluster could not be reached',
      })}
    >
      <ProblemList problems={error.problems} />
    </EuiCallOut>
  ) : null;
}

export function TargetRow(): ReactNode {
  const { value, set, errors, disabled, onFocus } = useField(['target']);
  const { data } = useApi('listTargets', {});
  const [tested, setTested] = useState<{ id: string; time: number } | null>(null);
  const id = value === undefined ? LOCAL_TARGET : asText(value);
  const targets = data?.targets ?? [];
  const options = targets.map((target) => ({
    value: target.id,
    text: target.title === target.id ? target.id : `${target.title} (${target.id})`,
  }));
  const known = options.some((option) => option.value === id);
  const unknown =
    data && !known
      ? [
          i18n.translate('dyno.editor.target.unknown', {
            defaultMessage: 'The target {id} does not exist. Choose another target, or add this one.',
            values: { id },
          }),
        ]
      : [];
  const wrong = [...errors, ...unknown];
  return (
    <>
      <EuiFormRow
        fullWidth
        label={i18n.translate('dyno.editor.target.label', { defaultMessage: 'Target' })}
        isInvalid={wrong.length > 0}
        error={wrong}
        labelAppend={
          <AppLink to="/targets">
            {i18n.translate('dyno.editor.target.manage', { defaultMessage: 'All targets' })}
          </AppLink>
        }
      >
        <EuiFlexGroup gutterSize="s" responsive={false}>
          <EuiFlexItem>
            <EuiSelect
              fullWidth
              aria-label={i18n.translate('dyno.editor.target.label', { defaultMessage: 'Target' })}
              options={known ? options : [...options, { value: id, text: id }]}
              value={id}
              disabled={disabled}
              isInvalid={wrong.length > 0}
              onFocus={onFocus}
              onChange={({ target }) => set(target.value)}
            />
          </EuiFlexItem>
          <EuiFlexItem grow={false}>
            <EuiButton
              iconType="plugs"
              onClick={() => setTested({ id, time: Date.now() })}
              isDisabled={unknown.length > 0}
            >
              {i18n.translate('dyno.editor.target.test', { defaultMessage: 'Test connection' })}
            </EuiButton>
          </EuiFlexItem>
        </EuiFlexGroup>
      </EuiFormRow>
      {tested?.id === id ? (
        <>
          <EuiSpacer size="s" />
          <TargetTest id={id} key={tested.time} />
          <EuiSpacer size="m" />
        </>
      ) : null}
    </>
  );
}
