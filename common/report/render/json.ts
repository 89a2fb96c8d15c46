/** The report as JSON: the model itself, for machines. */
import type { Report } from '../model/report';

export const renderJson = (report: Report): string => `${JSON.stringify(report, null, 2)}\n`;
