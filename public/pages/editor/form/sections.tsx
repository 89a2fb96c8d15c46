/** The sections of the form that are described as data, and the parts of them that have components of their own. */
import { EuiComboBox, EuiFormRow } from '@elastic/eui';
import type { ReactNode } from 'react';
import {
  BASICS,
  INDEX,
  MEASUREMENT,
  PRELOAD,
  type SectionPart,
} from '../../../../common/experiment/form-sections';
import { i18n } from '../../../i18n';
import { asList, asText, useErrors, useField } from './context';
import { Section, type Part } from './described';
import { Mapping } from './mapping';
import { Recipe } from './recipe';
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

const PARTS: Readonly<Record<SectionPart, Part>> = {
  target: TargetRow,
  tags: Tags,
  mapping: Mapping,
  recipe: Recipe,
};

export const BasicsPart = (): ReactNode => <Section of={BASICS} parts={PARTS} />;
export const IndexPart = (): ReactNode => <Section of={INDEX} parts={PARTS} />;
export const PreloadPart = (): ReactNode => <Section of={PRELOAD} parts={PARTS} />;
export const MeasurePart = (): ReactNode => <Section of={MEASUREMENT} parts={PARTS} />;
