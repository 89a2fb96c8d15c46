/**
 * The fields of an automatic tuning: the index or definition to tune, the goal, the limits that other metrics must keep, and the available
 * time.
 */
import {
  EuiCheckboxGroup,
  EuiComboBox,
  EuiFieldText,
  EuiFormRow,
  EuiRadioGroup,
  EuiSelect,
  EuiSwitch,
  EuiTextArea,
} from '@elastic/eui';
import type { ReactNode } from 'react';
import { CONCESSIONS, GOALS, type Goal } from '../../../common/tuning/choices';
import { GOAL_TITLES } from '../../../common/tuning/goal';
import { CONCESSION_TITLES } from '../../../common/tuning/knobs';
import { GENERATOR_NAMES } from '../../../common/generators/registry';
import { describeProblem, type Problem } from '../../../common/problem';
import { useApi } from '../../api/queries';
import { useApp } from '../../app/context';
import { i18n } from '../../i18n';
import type { Subject, TuneForm } from './form-state';

interface FieldsProps {
  form: TuneForm;
  onChange: (change: Partial<TuneForm>) => void;
  problems: readonly Problem[];
}

const errorsAt = (problems: readonly Problem[], path: string): string[] =>
  problems
    .filter(
      (problem) =>
        problem.path === path || problem.path.startsWith(`${path}[`) || problem.path.endsWith(`.${path}`),
    )
    .map((problem) => describeProblem({ ...problem, path: '' }));

function Row({
  label,
  help,
  errors = [],
  children,
}: {
  label: string;
  help?: string;
  errors?: string[];
  children: React.ReactElement;
}): ReactNode {
  return (
    <EuiFormRow label={label} helpText={help} isInvalid={errors.length > 0} error={errors}>
      {children}
    </EuiFormRow>
  );
}

function IndexField({ form, onChange, problems }: FieldsProps): ReactNode {
  const query = useApi('listTargetIndices', { params: { id: form.target } });
  return (
    <Row
      label={i18n.translate('dyno.tune.form.index', { defaultMessage: 'Index' })}
      help={useApp().host.samplesPlace()}
      errors={[
        ...(query.error?.problems ?? []).map((problem) => describeProblem({ ...problem, path: '' })),
        ...errorsAt(problems, 'index'),
      ]}
    >
      <EuiComboBox
        singleSelection={{ asPlainText: true }}
        isLoading={query.isFetching}
        options={(query.data?.names ?? []).map((label) => ({ label }))}
        selectedOptions={form.index === '' ? [] : [{ label: form.index }]}
        onChange={([one]) => onChange({ index: one?.label ?? '' })}
        onCreateOption={(index) => onChange({ index })}
        aria-label={i18n.translate('dyno.tune.form.index', { defaultMessage: 'Index' })}
      />
    </Row>
  );
}

function ExperimentField({ form, onChange }: FieldsProps): ReactNode {
  const query = useApi('listExperiments', { query: { last: 'brief' } });
  return (
    <Row
      label={i18n.translate('dyno.tune.form.experiment', { defaultMessage: 'Experiment' })}
      help={i18n.translate('dyno.tune.form.experimentHelp', {
        defaultMessage: 'The tuning starts from the experiment without its factors.',
      })}
    >
      <EuiSelect
        hasNoInitialSelection={form.experiment === ''}
        options={(query.data?.experiments ?? []).map(({ id, name }) => ({ value: id, text: name }))}
        value={form.experiment}
        onChange={({ target }) => onChange({ experiment: target.value })}
      />
    </Row>
  );
}

function OwnFields({ form, onChange, problems }: FieldsProps): ReactNode {
  const { host } = useApp();
  const fromFile = i18n.translate('dyno.tune.form.file', { defaultMessage: 'A file' });
  return (
    <>
      <Row label={i18n.translate('dyno.tune.form.documents', { defaultMessage: 'Documents' })}>
        <EuiSelect
          options={[
            ...GENERATOR_NAMES.map((name) => ({ value: name, text: name })),
            { value: '', text: fromFile },
          ]}
          value={form.generator}
          onChange={({ target }) => onChange({ generator: target.value })}
        />
      </Row>
      {form.generator === '' ? (
        <Row
          label={i18n.translate('dyno.tune.form.fileName', {
            defaultMessage: 'File with a JSON document on each line',
          })}
          help={host.filesPlace()}
          errors={errorsAt(problems, 'file')}
        >
          <EuiFieldText value={form.file} onChange={({ target }) => onChange({ file: target.value })} />
        </Row>
      ) : null}
      <Row
        label={i18n.translate('dyno.tune.form.mapping', { defaultMessage: 'Mapping (JSON)' })}
        help={i18n.translate('dyno.tune.form.mappingHelp', {
          defaultMessage: 'If empty, the mapping of the generator is used.',
        })}
        errors={errorsAt(problems, 'mapping')}
      >
        <EuiTextArea
          rows={5}
          value={form.mapping}
          onChange={({ target }) => onChange({ mapping: target.value })}
        />
      </Row>
      <Row
        label={i18n.translate('dyno.tune.form.settings', { defaultMessage: 'Current index settings (JSON)' })}
        errors={errorsAt(problems, 'settings')}
      >
        <EuiTextArea
          rows={3}
          value={form.settings}
          onChange={({ target }) => onChange({ settings: target.value })}
        />
      </Row>
    </>
  );
}

const subjects = (): { id: Subject; label: string }[] => [
  {
    id: 'index',
    label: i18n.translate('dyno.tune.form.ofIndex', { defaultMessage: 'An index of the target' }),
  },
  {
    id: 'experiment',
    label: i18n.translate('dyno.tune.form.ofExperiment', {
      defaultMessage: 'The definition of an experiment',
    }),
  },
  {
    id: 'own',
    label: i18n.translate('dyno.tune.form.ofOwn', { defaultMessage: 'Your own mapping and documents' }),
  },
];

function SearchFields({ form, onChange, problems }: FieldsProps): ReactNode {
  return (
    <>
      <EuiFormRow>
        <EuiSwitch
          label={i18n.translate('dyno.tune.form.searches', {
            defaultMessage: 'Search while documents are indexed',
          })}
          checked={form.searches}
          onChange={({ target }) => onChange({ searches: target.checked })}
        />
      </EuiFormRow>
      {form.searches ? (
        <Row
          label={i18n.translate('dyno.tune.form.search', { defaultMessage: 'Body of the search (JSON)' })}
          help={i18n.translate('dyno.tune.form.searchHelp', {
            defaultMessage: 'If empty, a search for the newest documents is used.',
          })}
          errors={errorsAt(problems, 'search')}
        >
          <EuiTextArea
            rows={4}
            value={form.search}
            onChange={({ target }) => onChange({ search: target.value })}
          />
        </Row>
      ) : null}
    </>
  );
}

export function SubjectFields(props: FieldsProps): ReactNode {
  const { form, onChange } = props;
  const targets = useApi('listTargets', {});
  return (
    <>
      <EuiFormRow label={i18n.translate('dyno.tune.form.what', { defaultMessage: 'What is tuned' })}>
        <EuiRadioGroup
          options={subjects()}
          idSelected={form.subject}
          onChange={(subject) => onChange({ subject: subject as Subject })}
        />
      </EuiFormRow>
      {form.subject === 'experiment' ? (
        <ExperimentField {...props} />
      ) : (
        <>
          <Row label={i18n.translate('dyno.tune.form.target', { defaultMessage: 'Target' })}>
            <EuiSelect
              options={(targets.data?.targets ?? []).map(({ id, title }) => ({ value: id, text: title }))}
              value={form.target}
              onChange={({ target }) => onChange({ target: target.value })}
            />
          </Row>
          {form.subject === 'index' ? <IndexField {...props} /> : <OwnFields {...props} />}
          <SearchFields {...props} />
        </>
      )}
    </>
  );
}

export function GoalFields({ form, onChange, problems }: FieldsProps): ReactNode {
  return (
    <>
      <Row
        label={i18n.translate('dyno.tune.form.goal', { defaultMessage: 'Goal' })}
        errors={errorsAt(problems, 'goal')}
      >
        <EuiSelect
          options={GOALS.map((goal) => ({ value: goal, text: GOAL_TITLES[goal] }))}
          value={form.goal}
          onChange={({ target }) => onChange({ goal: target.value as Goal })}
        />
      </Row>
      {form.goal === 'cost' ? (
        <Row
          label={i18n.translate('dyno.tune.form.price', {
            defaultMessage: 'Price of the cluster for an hour',
          })}
          help={i18n.translate('dyno.tune.form.priceHelp', {
            defaultMessage: 'If empty, environment.price of the experiment is used, if it has one.',
          })}
        >
          <EuiFieldText
            value={form.hourPrice}
            onChange={({ target }) => onChange({ hourPrice: target.value })}
          />
        </Row>
      ) : null}
      <Row
        label={i18n.translate('dyno.tune.form.limits', { defaultMessage: 'Limits, one per line' })}
        help={i18n.translate('dyno.tune.form.limitsHelp', {
          defaultMessage:
            'For example queries.latency.p95 at most +10%, or ingest.throughput at least -5%. If empty, the default limits of the goal are used.',
        })}
        errors={errorsAt(problems, 'limits')}
      >
        <EuiTextArea
          rows={2}
          value={form.limits}
          onChange={({ target }) => onChange({ limits: target.value })}
        />
      </Row>
      <Row
        label={i18n.translate('dyno.tune.form.time', { defaultMessage: 'Time for all experiments together' })}
        errors={errorsAt(problems, 'time')}
      >
        <EuiFieldText value={form.time} onChange={({ target }) => onChange({ time: target.value })} />
      </Row>
      <Row
        label={i18n.translate('dyno.tune.form.trial', { defaultMessage: 'Measured time of each trial' })}
        help={i18n.translate('dyno.tune.form.trialHelp', {
          defaultMessage: 'If empty, it is chosen to fit the total time.',
        })}
        errors={errorsAt(problems, 'trial')}
      >
        <EuiFieldText value={form.trial} onChange={({ target }) => onChange({ trial: target.value })} />
      </Row>
      <Row
        label={i18n.translate('dyno.tune.form.freshness', {
          defaultMessage: 'Maximum time until a document is found',
        })}
        errors={errorsAt(problems, 'freshness')}
      >
        <EuiFieldText
          value={form.freshness}
          onChange={({ target }) => onChange({ freshness: target.value })}
        />
      </Row>
      <EuiFormRow
        label={i18n.translate('dyno.tune.form.allow', { defaultMessage: 'Safety that may be reduced' })}
      >
        <EuiCheckboxGroup
          options={CONCESSIONS.map((id) => ({ id, label: CONCESSION_TITLES[id] }))}
          idToSelectedMap={Object.fromEntries(form.allow.map((id) => [id, true]))}
          onChange={(id) =>
            onChange({
              allow: CONCESSIONS.filter((one) => (one === id) !== form.allow.includes(one)),
            })
          }
        />
      </EuiFormRow>
    </>
  );
}
