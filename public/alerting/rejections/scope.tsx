/** The part of the form that says which rejections the rule counts: what is measured, the grouping of alerts, and the filters. */
import { EuiFlexGroup, EuiFlexItem, EuiFormRow, EuiSelect, EuiSpacer } from '@elastic/eui';
import type { ReactNode } from 'react';
import {
  GROUPINGS_OF,
  groupingOf,
  MEASURES,
  type Grouping,
  type Measure,
  type RejectionParams,
} from '../../../common/alerting/rejections/params';
import { LOCAL_TARGET } from '../../../common/api/targets';
import { useApi } from '../../api/queries';
import { useApp } from '../../app/context';
import { i18n } from '../../i18n';
import { useExperimentOptions } from '../experiments';
import { byId, ListField, TextField } from '../fields';
import { useForm } from '../form-context';

const measureName = (measure: Measure): string =>
  ({
    documents: i18n.translate('dyno.rule.measure.documents', {
      defaultMessage: 'Documents rejected, as the clients saw them',
    }),
    'write-pool': i18n.translate('dyno.rule.measure.pool', {
      defaultMessage: 'Tasks rejected by the write thread pool of a node',
    }),
    'indexing-pressure': i18n.translate('dyno.rule.measure.pressure', {
      defaultMessage: 'Operations rejected by indexing pressure of a node',
    }),
  })[measure];

const measureHelp = (measure: Measure): string =>
  ({
    documents: i18n.translate('dyno.rule.measure.documents.help', {
      defaultMessage:
        'The share of all attempted documents that were still refused with 429 after the last retry. From the samples of the runs.',
    }),
    'write-pool': i18n.translate('dyno.rule.measure.pool.help', {
      defaultMessage:
        'Rejected tasks as a share of rejected and completed tasks, from the collector. This share is lower than the share that clients see, because Elasticsearch counts syncs of global checkpoints as completed tasks, and never rejects them.',
    }),
    'indexing-pressure': i18n.translate('dyno.rule.measure.pressure.help', {
      defaultMessage:
        'Operations that indexing pressure rejected in the coordinating, primary or replica stage, as a share of these rejections and the tasks that the write pool completed. From the collector.',
    }),
  })[measure];

const groupingName = (grouping: Grouping): string =>
  ({
    experiment: i18n.translate('dyno.rule.by.experiment', { defaultMessage: 'Experiment' }),
    target: i18n.translate('dyno.rule.by.target', { defaultMessage: 'Target' }),
    cluster: i18n.translate('dyno.rule.by.cluster', { defaultMessage: 'Cluster' }),
    node: i18n.translate('dyno.rule.by.node', { defaultMessage: 'Node' }),
  })[grouping];

/** Returns what the rule measures: rejected documents, or rejections by a node's write pool or indexing pressure. Default: `documents`. */
const measureOf = (value: unknown): Measure => MEASURES.find((measure) => measure === value) ?? 'documents';

/** Filters of rules that count rejected documents. Rules that measure nodes do not have these filters. */
const CLIENT_FILTERS: readonly (keyof RejectionParams)[] = ['target'];
/** Filters of rules that measure nodes. Rules that count rejected documents do not have these filters. */
const NODE_FILTERS: readonly (keyof RejectionParams)[] = ['cluster', 'nodes'];

export function Scope(): ReactNode {
  const { raw, problems, set } = useForm();
  const measure = measureOf(raw['measure']);
  const groupings = GROUPINGS_OF[measure];
  const grouping = groupingOf({ measure, groupBy: raw['groupBy'] as Grouping | undefined });

  function change(next: Measure): void {
    set('measure', next);
    if (!GROUPINGS_OF[next].includes(grouping)) set('groupBy', GROUPINGS_OF[next][0]);
    for (const name of next === 'documents' ? NODE_FILTERS : CLIENT_FILTERS) {
      if (raw[name] !== undefined) set(name, undefined);
    }
  }

  return (
    <>
      <EuiFormRow
        fullWidth
        label={i18n.translate('dyno.rule.measure', { defaultMessage: 'Watch' })}
        helpText={measureHelp(measure)}
      >
        <EuiSelect
          fullWidth
          compressed
          value={measure}
          options={MEASURES.map((value) => ({ value, text: measureName(value) }))}
          onChange={({ target }) => change(measureOf(target.value))}
        />
      </EuiFormRow>
      <EuiSpacer size="m" />
      <EuiFlexGroup gutterSize="m">
        <EuiFlexItem grow={1}>
          <EuiFormRow
            fullWidth
            label={i18n.translate('dyno.rule.groupBy', { defaultMessage: 'One alert per' })}
            isInvalid={problems['groupBy'] !== undefined}
            error={problems['groupBy']}
          >
            <EuiSelect
              fullWidth
              compressed
              value={grouping}
              options={groupings.map((value) => ({ value, text: groupingName(value) }))}
              onChange={({ target }) => set('groupBy', target.value)}
            />
          </EuiFormRow>
        </EuiFlexItem>
        <EuiFlexItem grow={2}>{measure === 'documents' ? <TargetFilter /> : <ClusterFilter />}</EuiFlexItem>
      </EuiFlexGroup>
      <EuiSpacer size="m" />
      <ExperimentFilter />
    </>
  );
}

function TargetFilter(): ReactNode {
  const { raw, set } = useForm();
  const { data } = useApi('listTargets', {});
  const known = (data?.targets ?? []).map(({ id, title }) => ({ value: id, text: title }));
  const chosen = typeof raw['target'] === 'string' ? raw['target'] : '';
  const lost = chosen !== '' && !known.some(({ value }) => value === chosen);
  const { loadsItself } = useApp().host;
  const all = i18n.translate('dyno.rule.target.all', { defaultMessage: 'All targets' });
  return (
    <EuiFormRow
      fullWidth
      label={i18n.translate('dyno.rule.target', { defaultMessage: 'On this target only' })}
      helpText={
        loadsItself !== undefined && (chosen === '' || chosen === LOCAL_TARGET)
          ? i18n.translate('dyno.rule.target.blind', {
              defaultMessage:
                'If runs load the cluster of this Kibana and the cluster refuses requests, their samples are stored late, so this rule sees them late.',
            })
          : undefined
      }
    >
      <EuiSelect
        fullWidth
        compressed
        value={chosen}
        options={[{ value: '', text: all }, ...known, ...(lost ? [{ value: chosen, text: chosen }] : [])]}
        onChange={({ target }) => set('target', target.value === '' ? undefined : target.value)}
      />
    </EuiFormRow>
  );
}

function ClusterFilter(): ReactNode {
  const all = i18n.translate('dyno.rule.every', { defaultMessage: 'all' });
  return (
    <EuiFlexGroup gutterSize="m">
      <EuiFlexItem>
        <TextField
          name="cluster"
          label={i18n.translate('dyno.rule.cluster', { defaultMessage: 'Only the cluster' })}
          help={i18n.translate('dyno.rule.cluster.help', { defaultMessage: 'Name or UUID of the cluster.' })}
          placeholder={all}
        />
      </EuiFlexItem>
      <EuiFlexItem>
        <TextField
          name="nodes"
          label={i18n.translate('dyno.rule.nodes', { defaultMessage: 'Only nodes named' })}
          help={i18n.translate('dyno.rule.nodes.help', { defaultMessage: 'Such as data-*.' })}
          placeholder={all}
        />
      </EuiFlexItem>
    </EuiFlexGroup>
  );
}

function ExperimentFilter(): ReactNode {
  return (
    <ListField
      name="experiments"
      label={i18n.translate('dyno.rule.experiments', { defaultMessage: 'Only these experiments' })}
      placeholder={i18n.translate('dyno.rule.experiments.all', { defaultMessage: 'All experiments' })}
      {...useExperimentOptions()}
      other={byId()}
    />
  );
}
