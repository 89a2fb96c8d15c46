/**
 * The page *Tune an index*. The user first chooses what to tune and the goal. The page then shows the plan with its duration, and the
 * button that starts the tuning.
 */
import {
  EuiButton,
  EuiCallOut,
  EuiFlexGroup,
  EuiFlexItem,
  EuiForm,
  EuiPanel,
  EuiSpacer,
  EuiText,
} from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import type { TunedIndex } from '../../../common/tuning/template';
import type { TuningPlan } from '../../../common/tuning/tuning';
import type { Problem } from '../../../common/problem';
import { ApiError } from '../../api/client';
import { useApiChange } from '../../api/queries';
import { useApp } from '../../app/context';
import { i18n } from '../../i18n';
import { Page, Part } from '../../ui/page';
import { ProblemList } from '../../ui/problems';
import { tuneTitle } from '.';
import { GoalFields, SubjectFields } from './fields';
import { emptyForm, jsonOf, optionsOf, ownText, type TuneForm } from './form-state';
import { PlanView } from './plan';

/**
 * Starting point of a tuning. `text`: its first definition. `subject`: the existing index from which this definition was derived; undefined
 * if it comes from an experiment or from a mapping that the user entered.
 */
interface Start {
  text: string;
  subject?: TunedIndex;
}

interface Planned extends Start {
  plan: TuningPlan;
  limits: string[];
}

/**
 * Returns a function that creates the first definition of a tuning from the form. The function rejects with the problems of invalid fields.
 */
function useStart(): (form: TuneForm) => Promise<Start> {
  const { client } = useApp();
  const draft = useApiChange('draftTuning');
  return async (form) => {
    if (form.subject === 'experiment') {
      const { text } = await client.call('getExperiment', { params: { id: form.experiment } });
      return { text };
    }
    if (form.subject === 'own') {
      const own = ownText(form);
      if ('problems' in own) throw new ApiError(400, own.problems);
      return own;
    }
    const search = jsonOf(form.search, 'search');
    if ('problem' in search) throw new ApiError(400, [search.problem]);
    const asked = form.searches ? ((search.value ?? true) as true | Record<string, unknown>) : false;
    const { text, subject } = await draft.mutateAsync({
      body: { target: form.target, index: form.index, search: asked },
    });
    return { text, subject };
  };
}

const problemsOf = (error: unknown): readonly Problem[] =>
  error instanceof ApiError
    ? error.problems
    : [{ code: 'page', path: '', message: error instanceof Error ? error.message : String(error) }];

export default function NewTuningPage(): ReactNode {
  const { host } = useApp();
  const [form, setForm] = useState(emptyForm);
  const [planned, setPlanned] = useState<Planned | null>(null);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [planning, setPlanning] = useState(false);
  const startOf = useStart();
  const planTuning = useApiChange('planTuning');
  const startTuning = useApiChange('startTuning', ['listTunings']);
  const change = (part: Partial<TuneForm>): void => {
    setForm({ ...form, ...part });
    setPlanned(null);
  };
  const plan = async (): Promise<void> => {
    setPlanning(true);
    setProblems([]);
    // The earlier plan is removed, because it does not apply if this request is refused.
    setPlanned(null);
    try {
      const begin = await startOf(form);
      const answer = await planTuning.mutateAsync({ body: { text: begin.text, options: optionsOf(form) } });
      setPlanned({ ...begin, ...answer });
    } catch (error) {
      setProblems(problemsOf(error));
    } finally {
      setPlanning(false);
    }
  };
  const start = ({ text, subject }: Planned): void =>
    startTuning.mutate(
      { body: { text, options: { ...optionsOf(form), ...(subject ? { subject } : {}) } } },
      {
        onSuccess: ({ id }) => host.history.push(`/tune/${encodeURIComponent(id)}`),
        onError: (error) => {
          setPlanned(null);
          setProblems(error.problems);
        },
      },
    );
  return (
    <Page
      title={i18n.translate('dyno.tune.new', { defaultMessage: 'Tune this index' })}
      above={[{ text: tuneTitle(), path: '/tune' }]}
    >
      <EuiFlexGroup gutterSize="xl" alignItems="flexStart" wrap>
        <EuiFlexItem css={{ minWidth: 'min(340px, 100%)', maxWidth: 480 }}>
          <EuiForm
            component="form"
            onSubmit={(event: React.FormEvent) => {
              event.preventDefault();
              void plan();
            }}
          >
            <SubjectFields form={form} onChange={change} problems={problems} />
            <EuiSpacer size="l" />
            <GoalFields form={form} onChange={change} problems={problems} />
            <EuiSpacer size="l" />
            <EuiButton type="submit" fill={planned === null} isLoading={planning}>
              {i18n.translate('dyno.tune.form.plan', { defaultMessage: 'Show the plan' })}
            </EuiButton>
          </EuiForm>
        </EuiFlexItem>
        <EuiFlexItem grow={2} css={{ minWidth: 'min(360px, 100%)' }}>
          {problems.length === 0 ? null : (
            <>
              <EuiCallOut
                announceOnMount
                color="danger"
                iconType="error"
                title={i18n.translate('dyno.tune.refused', { defaultMessage: 'This cannot be tuned yet' })}
              >
                <ProblemList problems={problems} />
              </EuiCallOut>
              <EuiSpacer />
            </>
          )}
          {planned === null ? (
            problems.length > 0 ? null : (
              <EuiText size="s" color="subdued">
                <p>
                  {i18n.translate('dyno.tune.form.before', {
                    defaultMessage:
                      'Before anything starts, Dyno shows the plan here: what it will try, in which order, how long that takes, and what it will not try and why.',
                  })}
                </p>
              </EuiText>
            )
          ) : (
            <EuiPanel hasBorder>
              <Part title={i18n.translate('dyno.tune.plan', { defaultMessage: 'Plan' })}>
                <PlanView plan={planned.plan} limits={planned.limits} />
                <EuiSpacer />
                <EuiButton
                  fill
                  iconType="play"
                  isLoading={startTuning.isPending}
                  onClick={() => start(planned)}
                >
                  {i18n.translate('dyno.tune.start', { defaultMessage: 'Start the tuning' })}
                </EuiButton>
              </Part>
            </EuiPanel>
          )}
        </EuiFlexItem>
      </EuiFlexGroup>
    </Page>
  );
}
