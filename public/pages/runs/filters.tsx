/** Filters of the list of runs: experiment and state. */
import { EuiFlexGroup, EuiFlexItem, EuiSelect, EuiSpacer } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { RunState } from '../../../common/experiment/run';
import { useApi } from '../../api/queries';
import { i18n } from '../../i18n';
import { stateName } from '../../ui/run-state';
import { STATES } from './states';

interface RunFiltersProps {
  experiment: string;
  onExperiment: (id: string) => void;
  state: RunState | '';
  onState: (state: string) => void;
  right: ReactNode;
}

export function RunFilters({ experiment, onExperiment, state, onState, right }: RunFiltersProps): ReactNode {
  const experiments = useApi('listExperiments', { query: { last: 'brief' } }).data?.experiments ?? [];
  const known = experiments.some(({ id }) => id === experiment) || experiment === '';
  const every = i18n.translate('dyno.runs.every', { defaultMessage: 'All' });
  const names = [
    { value: '', text: every },
    ...(known ? [] : [{ value: experiment, text: experiment }]),
    ...experiments.map(({ id, name }) => ({ value: id, text: name })),
  ];
  const states = [{ value: '', text: every }, ...STATES.map((value) => ({ value, text: stateName(value) }))];
  return (
    <>
      <EuiFlexGroup gutterSize="s" alignItems="center" wrap responsive={false}>
        <EuiFlexItem grow={false} css={{ inlineSize: 360, maxInlineSize: '100%' }}>
          <EuiSelect
            compressed
            fullWidth
            prepend={i18n.translate('dyno.runs.experiment', { defaultMessage: 'Experiment' })}
            aria-label={i18n.translate('dyno.runs.ofExperiment', {
              defaultMessage: 'Runs of this experiment',
            })}
            options={names}
            value={experiment}
            onChange={({ target }) => onExperiment(target.value)}
          />
        </EuiFlexItem>
        <EuiFlexItem grow={false} css={{ inlineSize: 220 }}>
          <EuiSelect
            compressed
            fullWidth
            prepend={i18n.translate('dyno.runs.state', { defaultMessage: 'State' })}
            aria-label={i18n.translate('dyno.runs.inState', { defaultMessage: 'Runs in this state' })}
            options={states}
            value={state}
            onChange={({ target }) => onState(target.value)}
          />
        </EuiFlexItem>
        <EuiFlexItem />
        <EuiFlexItem grow={false}>{right}</EuiFlexItem>
      </EuiFlexGroup>
      <EuiSpacer size="m" />
    </>
  );
}
