/** The settings of a target, as a form. */
import {
  EuiAccordion,
  EuiFieldPassword,
  EuiFieldText,
  EuiFormRow,
  EuiRadioGroup,
  EuiSpacer,
  EuiSwitch,
  EuiTextArea,
} from '@elastic/eui';
import type { ReactNode } from 'react';
import type { Problem } from '../../../common/problem';
import { describeProblem } from '../../../common/problem';
import { i18n } from '../../i18n';
import { idFromTitle, type CredentialKind, type TargetForm } from './form-state';

interface FormProps {
  form: TargetForm;
  onChange: (change: Partial<TargetForm>) => void;
  /** Whether the target is already stored. Its id then cannot be changed, and its secret is optional. */
  kept: boolean;
  /** Reason why the server cannot store secrets; null if it can. */
  secretsRefused: string | null;
  problems: readonly Problem[];
  disabled: boolean;
}

/** Returns the error messages for the value at `path` and for values inside it. */
const errorsAt = (problems: readonly Problem[], path: string): string[] =>
  problems
    .filter(
      (problem) =>
        problem.path === path || problem.path.startsWith(`${path}.`) || problem.path.startsWith(`${path}[`),
    )
    .map((problem) => describeProblem({ ...problem, path: '' }));

function kinds(kept: boolean): { id: CredentialKind; label: string }[] {
  return [
    ...(kept
      ? [
          {
            id: 'keep' as const,
            label: i18n.translate('dyno.targets.form.keep', { defaultMessage: 'Keep stored credentials' }),
          },
        ]
      : []),
    { id: 'none', label: i18n.translate('dyno.targets.form.none', { defaultMessage: 'None' }) },
    { id: 'api-key', label: i18n.translate('dyno.targets.form.apiKey', { defaultMessage: 'API key' }) },
    {
      id: 'basic',
      label: i18n.translate('dyno.targets.form.basic', { defaultMessage: 'User name and password' }),
    },
  ];
}

function Credentials({ form, onChange, kept, secretsRefused, problems, disabled }: FormProps): ReactNode {
  const errors = errorsAt(problems, 'credentials');
  return (
    <>
      <EuiFormRow
        label={i18n.translate('dyno.targets.form.credentials', { defaultMessage: 'Credentials' })}
        helpText={
          secretsRefused ??
          i18n.translate('dyno.targets.form.credentialsHelp', {
            defaultMessage: 'The credentials are encrypted and never leave the server.',
          })
        }
        isInvalid={errors.length > 0}
        error={errors}
      >
        <EuiRadioGroup
          options={kinds(kept).map((kind) => ({
            ...kind,
            disabled: disabled || (secretsRefused !== null && (kind.id === 'basic' || kind.id === 'api-key')),
          }))}
          idSelected={form.kind}
          onChange={(kind) => onChange({ kind: kind as CredentialKind, secret: '' })}
        />
      </EuiFormRow>
      {form.kind === 'basic' ? (
        <EuiFormRow label={i18n.translate('dyno.targets.form.username', { defaultMessage: 'User name' })}>
          <EuiFieldText
            value={form.username}
            autoComplete="off"
            onChange={({ target }) => onChange({ username: target.value })}
          />
        </EuiFormRow>
      ) : null}
      {form.kind === 'basic' || form.kind === 'api-key' ? (
        <EuiFormRow
          label={
            form.kind === 'basic'
              ? i18n.translate('dyno.targets.form.password', { defaultMessage: 'Password' })
              : i18n.translate('dyno.targets.form.key', { defaultMessage: 'API key, encoded' })
          }
        >
          <EuiFieldPassword
            type="dual"
            value={form.secret}
            autoComplete="new-password"
            onChange={({ target }) => onChange({ secret: target.value })}
          />
        </EuiFormRow>
      ) : null}
    </>
  );
}

export function TargetFields(props: FormProps): ReactNode {
  const { form, onChange, kept, problems, disabled } = props;
  const [titleErrors, idErrors, hostErrors, caErrors] = ['title', 'id', 'hosts', 'ca'].map((path) =>
    errorsAt(problems, path),
  ) as [string[], string[], string[], string[]];
  const followsTitle = form.id === idFromTitle(form.title);
  return (
    <>
      <EuiFormRow
        label={i18n.translate('dyno.targets.form.title', { defaultMessage: 'Name' })}
        isInvalid={titleErrors.length > 0}
        error={titleErrors}
      >
        <EuiFieldText
          value={form.title}
          disabled={disabled}
          isInvalid={titleErrors.length > 0}
          onChange={({ target: { value } }) =>
            onChange({ title: value, ...(kept || !followsTitle ? {} : { id: idFromTitle(value) }) })
          }
        />
      </EuiFormRow>
      <EuiFormRow
        label={i18n.translate('dyno.targets.form.id', {
          defaultMessage: 'Short name, used in definitions',
        })}
        helpText={`target: ${form.id}`}
        isInvalid={idErrors.length > 0}
        error={idErrors}
      >
        <EuiFieldText
          value={form.id}
          disabled={kept || disabled}
          isInvalid={idErrors.length > 0}
          onChange={({ target }) => onChange({ id: target.value })}
        />
      </EuiFormRow>
      <EuiFormRow
        label={i18n.translate('dyno.targets.form.hosts', {
          defaultMessage: 'Hosts: one URL per line, or a cloud id',
        })}
        isInvalid={hostErrors.length > 0}
        error={hostErrors}
      >
        <EuiTextArea
          rows={3}
          value={form.hosts}
          disabled={disabled}
          isInvalid={hostErrors.length > 0}
          placeholder="https://es-1.example.org:9200"
          onChange={({ target }) => onChange({ hosts: target.value })}
        />
      </EuiFormRow>
      <Credentials {...props} />
      <EuiSpacer />
      <EuiAccordion
        id="dyno-target-tls"
        buttonContent={i18n.translate('dyno.targets.form.tls', { defaultMessage: 'Certificates' })}
        initialIsOpen={form.ca !== '' || !form.verifyCertificates}
        forceState={caErrors.length > 0 ? 'open' : undefined}
        paddingSize="m"
      >
        <EuiFormRow
          label={i18n.translate('dyno.targets.form.ca', { defaultMessage: 'Certificate authority, PEM' })}
          isInvalid={caErrors.length > 0}
          error={caErrors}
        >
          <EuiTextArea
            rows={4}
            value={form.ca}
            disabled={disabled}
            isInvalid={caErrors.length > 0}
            placeholder="-----BEGIN CERTIFICATE-----"
            onChange={({ target }) => onChange({ ca: target.value })}
          />
        </EuiFormRow>
        <EuiFormRow
          helpText={i18n.translate('dyno.targets.form.verifyHelp', {
            defaultMessage: 'Without verification, anyone on the network path can read the credentials.',
          })}
        >
          <EuiSwitch
            label={i18n.translate('dyno.targets.form.verify', { defaultMessage: 'Verify certificates' })}
            checked={form.verifyCertificates}
            disabled={disabled}
            onChange={({ target }) => onChange({ verifyCertificates: target.checked })}
          />
        </EuiFormRow>
      </EuiAccordion>
    </>
  );
}
