/** What is varied: factors with their levels, crossed or listed cell by cell, and the cells that come of it. */
import { EuiButtonGroup, EuiCallOut, EuiFormRow, EuiSpacer } from '@elastic/eui';
import type { ReactNode } from 'react';
import { cellLevels, factorPaths, type Levels } from '../../../../common/experiment/cells';
import type { Definition } from '../../../../common/experiment/definition';
import { sameValue } from '../../../../common/experiment/text/values';
import { i18n } from '../../../i18n';
import { asList, asRecord, useErrors, useForm } from './context';
import { AddFactor, FactorRow } from './factor-row';
import { FormPart } from './part';
import { CellsTable } from './cells-table';
import { ListedCells } from './listed-cells';

/** Beyond these no table is drawn, and the schema refuses them anyway. */
const MOST_CELLS = 1000;

/** The factors as they are written, where they make sense; else none. */
function readFactors(written: unknown): Record<string, unknown[]> | Levels[] {
  if (Array.isArray(written)) return written.map(asRecord);
  return Object.fromEntries(
    Object.entries(asRecord(written)).map(([path, levels]) => [path, asList(levels)]),
  );
}

function cellCount(factors: Record<string, unknown[]> | Levels[]): number {
  if (Array.isArray(factors)) return factors.length;
  return Object.values(factors).reduce((count, { length }) => count * length, 1);
}

/** Each path with all levels that the cells give it. */
const crossed = (cells: readonly Levels[]): Record<string, unknown[]> => {
  const paths = factorPaths({ factors: [...cells] });
  return Object.fromEntries(
    paths.map((path) => [
      path,
      cells
        .map((cell) => cell[path])
        .filter(
          (level, at, all) => level !== undefined && all.findIndex((one) => sameValue(one, level)) === at,
        ),
    ]),
  );
};

export function SweepPart(): ReactNode {
  const { values, edit, disabled } = useForm();
  const factors = readFactors(values['factors']);
  const isList = Array.isArray(factors);
  const written = { factors: factors as Definition['factors'] };
  const paths = factorPaths(written);
  const count = cellCount(factors);
  const cells = count <= MOST_CELLS ? cellLevels(written) : [];
  const errors = useErrors(['factors']);
  const title = i18n.translate('dyno.editor.sweep.title', { defaultMessage: 'Factors' });
  const summary = i18n.translate('dyno.editor.sweep.summary', {
    defaultMessage: '{count, plural, one {# cell} other {# cells}}',
    values: { count },
  });
  const change = (kind: string): void => {
    if (kind === 'list' && !isList) edit([{ path: ['factors'], value: cells }]);
    if (kind === 'crossed' && isList) edit([{ path: ['factors'], value: crossed(factors) }]);
  };
  const how = i18n.translate('dyno.editor.sweep.how', { defaultMessage: 'How levels combine' });
  return (
    <FormPart title={title} roots={['factors', 'baseline']} summary={summary}>
      {errors.map((error) => (
        <EuiCallOut
          key={error}
          announceOnMount={false}
          size="s"
          color="danger"
          title={error}
          css={{ marginBlockEnd: 8 }}
        />
      ))}
      {isList ? (
        <ListedCells cells={factors} paths={paths} />
      ) : (
        Object.entries(factors).map(([path, levels]) => <FactorRow key={path} path={path} levels={levels} />)
      )}
      <AddFactor isList={isList} paths={paths} />
      {paths.length === 0 ? null : (
        <>
          <EuiSpacer size="m" />
          <EuiFormRow
            label={how}
            hasChildLabel={false}
            helpText={
              isList
                ? i18n.translate('dyno.editor.sweep.listHelp', {
                    defaultMessage: 'Only the cells listed above.',
                  })
                : i18n.translate('dyno.editor.sweep.crossedHelp', {
                    defaultMessage: 'Every level of one factor with every level of the others.',
                  })
            }
          >
            <EuiButtonGroup
              buttonSize="compressed"
              legend={how}
              isDisabled={disabled}
              idSelected={isList ? 'list' : 'crossed'}
              onChange={change}
              options={[
                {
                  id: 'crossed',
                  label: i18n.translate('dyno.editor.sweep.crossed', { defaultMessage: 'All combinations' }),
                },
                {
                  id: 'list',
                  label: i18n.translate('dyno.editor.sweep.list', { defaultMessage: 'Listed one by one' }),
                  isDisabled: count > 100,
                },
              ]}
            />
          </EuiFormRow>
          <EuiSpacer size="m" />
          <CellsTable cells={cells} count={count} paths={paths} />
        </>
      )}
    </FormPart>
  );
}
