import { jsonOption, reportOption, withPlaces } from '../options';
import type { Register } from '../registration';

export const report: Register = (dyno, { context: { console }, ends }) => {
  withPlaces(dyno.command('report <run>').description('show the report of a run, by its id or its file'))
    .addOption(reportOption())
    .addOption(jsonOption())
    .action(
      ends(async (id, options) => (await import('../../commands/results')).showReport(id, options, console)),
    );
};
