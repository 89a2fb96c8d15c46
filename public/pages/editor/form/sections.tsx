/**
 * Sections of the editor's form, described as data, and the components that edit parts of the definition for which this data is not
 * sufficient.
 */
import type { ReactNode } from 'react';
import { CONDITIONS } from '../../../../common/experiment/form-conditions';
import { FACTORS } from '../../../../common/experiment/form-factors';
import {
  BASICS,
  INDEX,
  MEASUREMENT,
  PRELOAD,
  SCHEDULE,
  scheduleWritten,
} from '../../../../common/experiment/form-sections';
import type { FormSection } from '../../../../common/fields/form';
import { TASKS } from '../../../../common/tasks/form';
import { ScheduleFields } from '../schedule/fields';
import { CellsTable } from './cells-table';
import { ClaimPart } from './claim-builder';
import { useField, useForm, type Part } from './context';
import { Section } from './described';
import { DocumentPreviewPart } from './document-preview';
import { ExecutorFields } from './executor-fields';
import { Factors } from './factors';
import { Mapping } from './mapping';
import { RequestActions } from './request-actions';
import { TargetRow } from './target-row';

function Schedule(): ReactNode {
  const { values } = useForm();
  const { set, disabled } = useField(['schedule']);
  return (
    <ScheduleFields
      value={scheduleWritten(values)}
      disabled={disabled}
      onChange={(next) => set(next ?? undefined)}
    />
  );
}

export const PARTS = {
  target: TargetRow,
  mapping: Mapping,
  schedule: Schedule,
  factors: Factors,
  cells: CellsTable,
  claim: ClaimPart,
  executor: ExecutorFields,
  preview: DocumentPreviewPart,
  'request-actions': RequestActions,
} satisfies Readonly<Record<string, Part>>;

/** Sections in the order of the form, beginning with those that every experiment needs. */
export const SECTIONS: readonly FormSection<keyof typeof PARTS>[] = [
  BASICS,
  FACTORS,
  TASKS,
  INDEX,
  PRELOAD,
  MEASUREMENT,
  CONDITIONS,
  SCHEDULE,
];

export const FormSections = ({ sections = SECTIONS }: { sections?: typeof SECTIONS }): ReactNode =>
  sections.map((section) => <Section key={section.title.id} of={section} parts={PARTS} />);
