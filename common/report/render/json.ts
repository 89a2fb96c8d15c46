/** Renders the report as JSON for programs. The JSON is the model itself. */
import { stringifyExact } from '../../json/exact';
import type { Report } from '../model/report';

export const renderJson = (report: Report): string => `${stringifyExact(report, 2)}\n`;
