/** What the experiment is called, what is believed, where it runs. */
import { EuiComboBox, EuiFormRow, EuiSpacer } from '@elastic/eui';
import type { ReactNode } from 'react';
import { i18n } from '../../../i18n';
import { asList, asText, useErrors, useField } from './context';
import { TextRow } from './fields';
import { FormPart } from './part';
import { TargetRow } from './target-row';

function Tags(): ReactNode {
  const { value, set, disabled, onFocus } = useField(['tags']);
  const errors = useErrors(['tags'], true);
  const tags = asList(value).map(asText);
  const label = i18n.translate('dyno.editor.basics.tags', { defaultMessage: 'Tags' });
  return (
    <EuiFormRow
      label={label}
      fullWidth
      isInvalid={errors.length > 0}
      error={errors}
      helpText={i18n.translate('dyno.editor.basics.tagsHelp', {
        defaultMessage: 'Tags help you find the experiment. Press Enter to add one.',
      })}
    >
      <EuiComboBox
        aria-label={label}
        fullWidth
        noSuggestions
        isDisabled={disabled}
        isInvalid={errors.length > 0}
        onFocus={onFocus}
        selectedOptions={tags.map((tag) => ({ label: tag }))}
        onChange={(options) => set(options.length === 0 ? undefined : options.map((option) => option.label))}
        onCreateOption={(tag) => {
          if (tag.trim() !== '' && !tags.includes(tag.trim())) set([...tags, tag.trim()]);
        }}
      />
    </EuiFormRow>
  );
}

export function BasicsPart(): ReactNode {
  return (
    <FormPart
      title={i18n.translate('dyno.editor.basics.title', { defaultMessage: 'What and where' })}
      roots={['name', 'hypothesis', 'tags', 'target', 'version', 'preset', '']}
    >
      <TextRow
        path={['name']}
        wide
        required
        label={i18n.translate('dyno.editor.basics.name', { defaultMessage: 'Name' })}
      />
      <TextRow
        path={['hypothesis']}
        wide
        rows={2}
        label={i18n.translate('dyno.editor.basics.hypothesis', { defaultMessage: 'Hypothesis' })}
        help={i18n.translate('dyno.editor.basics.hypothesisHelp', {
          defaultMessage: 'What you believe, in one sentence. The result answers it.',
        })}
      />
      <EuiSpacer size="m" />
      <TargetRow />
      <Tags />
    </FormPart>
  );
}
