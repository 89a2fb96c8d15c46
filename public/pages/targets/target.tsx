/** The page of one target. Its settings can be changed, tested and saved. Below them are facts about the cluster, such as its nodes. */
import {
  EuiButton,
  EuiButtonEmpty,
  EuiCallOut,
  EuiEmptyPrompt,
  EuiFlexGroup,
  EuiFlexItem,
  EuiForm,
  EuiSpacer,
  EuiText,
} from '@elastic/eui';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useParams } from 'react-router';
import { LOCAL_TARGET, targetSchema, type Target } from '../../../common/api/targets';
import type { ApiError } from '../../api/client';
import { useApi, useApiChange } from '../../api/queries';
import { useApp, usePrivilege } from '../../app/context';
import { i18n } from '../../i18n';
import { useLinkProps } from '../../ui/link';
import { Loadable } from '../../ui/loadable';
import { Page, Part } from '../../ui/page';
import { ProblemList } from '../../ui/problems';
import { useToasts } from '../../ui/toasts';
import { Facts } from './facts';
import { TargetFields } from './form';
import { RecordTraffic } from './record-traffic';
import { WholeElasticsearch } from './whole-download';
import { EMPTY_TARGET, formOf, settingsOf, type TargetForm } from './form-state';

const RENEWS = ['listTargets', 'inspectTarget'] as const;

/** Says that another user has saved this target since it was opened here. */
function Conflict({
  error,
  onTake,
}: {
  error: ApiError | null;
  onTake: (theirs: Target) => void;
}): ReactNode {
  const theirs = targetSchema.safeParse(error?.current);
  if (error === null || !theirs.success) return null;
  return (
    <EuiCallOut
      announceOnMount
      color="warning"
      iconType="warning"
      title={i18n.translate('dyno.targets.conflict', {
        defaultMessage: 'Someone else saved this target after you opened it',
      })}
    >
      <p>
        {i18n.translate('dyno.targets.conflictBody', {
          defaultMessage: 'Their version is "{title}" at {hosts}. Your changes were not saved.',
          values: { title: theirs.data.title, hosts: theirs.data.hosts.join(', ') },
        })}
      </p>
      <EuiButton size="s" color="warning" onClick={() => onTake(theirs.data)}>
        {i18n.translate('dyno.targets.takeTheirs', { defaultMessage: 'Discard my changes, show theirs' })}
      </EuiButton>
    </EuiCallOut>
  );
}

function TargetEditor({
  target,
  secretsRefused,
}: {
  target: Target | null;
  secretsRefused: string | null;
}): ReactNode {
  const { history } = useApp().host;
  const toasts = useToasts();
  const linkProps = useLinkProps();
  const mayManage = usePrivilege('manage');
  const [base, setBase] = useState(target);
  const [form, setForm] = useState<TargetForm>(() => (target ? formOf(target) : EMPTY_TARGET));
  const create = useApiChange('createTarget', RENEWS);
  const save = useApiChange('saveTarget', RENEWS);
  const test = useApiChange('testTarget');
  const failure = create.error ?? save.error ?? test.error;
  const disabled = !mayManage;
  const take = (theirs: Target): void => {
    setBase(theirs);
    setForm(formOf(theirs));
    save.reset();
  };
  const change = (part: Partial<TargetForm>): void => {
    setForm((before) => ({ ...before, ...part }));
    for (const request of [create, save, test]) request.reset();
  };
  const saved = ({ title }: Target): void => {
    toasts.done(
      i18n.translate('dyno.targets.saved', { defaultMessage: 'Saved the target {title}', values: { title } }),
    );
    history.push('/targets');
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const settings = settingsOf(form);
    if (base === null) create.mutate({ body: { id: form.id, ...settings } }, { onSuccess: saved });
    else
      save.mutate(
        { params: { id: base.id }, body: { ...settings, version: base.version ?? '' } },
        { onSuccess: saved },
      );
  };
  const tryOut = (): void =>
    test.mutate({ body: { ...settingsOf(form), ...(base === null ? {} : { id: base.id }) } });
  return (
    <EuiForm component="form" onSubmit={submit}>
      <Conflict error={save.error} onTake={take} />
      {failure && failure.current === undefined ? (
        <>
          <EuiCallOut
            announceOnMount
            color="danger"
            iconType="error"
            title={i18n.translate('dyno.targets.refused', {
              defaultMessage: 'This target cannot be used yet',
            })}
          >
            <ProblemList problems={failure.problems} />
          </EuiCallOut>
          <EuiSpacer />
        </>
      ) : null}
      <TargetFields
        form={form}
        onChange={change}
        kept={base !== null}
        secretsRefused={secretsRefused}
        problems={failure?.problems ?? []}
        disabled={disabled}
      />
      <EuiSpacer size="l" />
      <EuiFlexGroup gutterSize="s" responsive={false} wrap>
        <EuiFlexItem grow={false}>
          <EuiButton fill type="submit" isDisabled={disabled} isLoading={create.isPending || save.isPending}>
            {i18n.translate('dyno.targets.save', { defaultMessage: 'Save' })}
          </EuiButton>
        </EuiFlexItem>
        <EuiFlexItem grow={false}>
          <EuiButton iconType="link" onClick={tryOut} isDisabled={disabled} isLoading={test.isPending}>
            {i18n.translate('dyno.targets.test', { defaultMessage: 'Test the connection' })}
          </EuiButton>
        </EuiFlexItem>
        <EuiFlexItem grow={false}>
          <EuiButtonEmpty {...linkProps('/targets')}>
            {i18n.translate('dyno.targets.back', { defaultMessage: 'Back' })}
          </EuiButtonEmpty>
        </EuiFlexItem>
      </EuiFlexGroup>
      {test.data ? (
        <>
          <EuiSpacer size="l" />
          <Part title={i18n.translate('dyno.targets.tested', { defaultMessage: 'Connected cluster' })}>
            <Facts facts={test.data} />
          </Part>
        </>
      ) : null}
    </EuiForm>
  );
}

function FoundThere({ id }: { id: string }): ReactNode {
  const query = useApi('inspectTarget', { params: { id } });
  return (
    <Part title={i18n.translate('dyno.targets.found', { defaultMessage: 'What Dyno found' })}>
      <Loadable query={query}>
        {(facts) => <Facts facts={facts} offer={id === LOCAL_TARGET ? <WholeElasticsearch /> : null} />}
      </Loadable>
    </Part>
  );
}

function BuiltIn({ hosts }: Pick<Target, 'hosts'>): ReactNode {
  const { host } = useApp();
  return (
    <EuiText size="s">
      <p>{host.localTarget()}</p>
      <p>{hosts.join(', ')}</p>
    </EuiText>
  );
}

function NoSuchTarget(): ReactNode {
  return (
    <EuiEmptyPrompt
      iconType="search"
      title={<h2>{i18n.translate('dyno.targets.none', { defaultMessage: 'This target does not exist' })}</h2>}
    />
  );
}

export default function TargetPage(): ReactNode {
  const { id = 'new' } = useParams();
  const isNew = id === 'new';
  const query = useApi('listTargets', {});
  const found = query.data?.targets.find((target) => target.id === id);
  const title = isNew
    ? i18n.translate('dyno.targets.new', { defaultMessage: 'New target' })
    : (found?.title ?? id);
  const above = [
    { text: i18n.translate('dyno.targets.title', { defaultMessage: 'Targets' }), path: '/targets' },
  ];
  return (
    <Page title={title} above={above}>
      <Loadable query={query}>
        {({ secretsRefused }) =>
          !isNew && found === undefined ? (
            <NoSuchTarget />
          ) : (
            <EuiFlexGroup gutterSize="xl" wrap>
              <EuiFlexItem css={{ minWidth: 'min(320px, 100%)', maxWidth: 480 }}>
                {found?.builtIn ? (
                  <BuiltIn hosts={found.hosts} />
                ) : (
                  <TargetEditor key={id} target={found ?? null} secretsRefused={secretsRefused} />
                )}
              </EuiFlexItem>
              {isNew ? null : (
                <EuiFlexItem grow={2} css={{ minWidth: 'min(420px, 100%)' }}>
                  <FoundThere id={id} />
                  {found === undefined ? null : <RecordTraffic target={found} />}
                </EuiFlexItem>
              )}
            </EuiFlexGroup>
          )
        }
      </Loadable>
    </Page>
  );
}
