/** The parts of the forms of tasks that have components of their own, by the names under which descriptions ask for them. */
import type { FormPart } from '../../../../common/tasks/kind';
import type { Part } from './described';
import { DocumentPreviewPart } from './document-preview';
import { DrawnRequests, DrawnSearches, SearchesInOrder } from './request-fields';

export const WORK_PARTS: Readonly<Record<FormPart, Part>> = {
  preview: DocumentPreviewPart,
  'drawn-requests': DrawnRequests,
  'drawn-searches': DrawnSearches,
  'searches-in-order': SearchesInOrder,
};
