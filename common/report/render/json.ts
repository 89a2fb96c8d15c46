/** The report as JSON: the model itself, for machines. */
import { stringifyExact } from '../../json/exact';
import type { Report } from '../model/report';

export const renderJson = (report: Report): string => `${stringifyExact(report, 2)}\n`;
