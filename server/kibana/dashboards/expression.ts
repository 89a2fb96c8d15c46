/** Defines the measures of a panel, which are the values that the panel shows. Converts measures to the form in which Lens stores them. */

type Aggregation = 'average' | 'sum' | 'max' | 'min' | 'median' | 'unique_count';

export interface Aggregated {
  aggregation: Aggregation;
  field: string;
  /** KQL query for the documents to aggregate. If absent, all documents are aggregated. */
  of?: string;
}

interface Calculated {
  operator: 'add' | 'multiply' | 'divide';
  operands: readonly [Expression, Expression];
}

export type Expression = Aggregated | Calculated | number;

const aggregated =
  (aggregation: Aggregation) =>
  (field: string, of?: string): Aggregated => ({ aggregation, field, ...(of === undefined ? {} : { of }) });

export const average = aggregated('average');
export const sum = aggregated('sum');
export const max = aggregated('max');
export const min = aggregated('min');
export const median = aggregated('median');
export const uniqueCount = aggregated('unique_count');

const calculated =
  (operator: Calculated['operator']) =>
  (...operands: [Expression, Expression]): Calculated => ({ operator, operands });

export const plus = calculated('add');
export const times = calculated('multiply');
export const ratio = calculated('divide');

const SIGNS = { add: '+', multiply: '*', divide: '/' } as const;

const isAggregated = (expression: Expression): expression is Aggregated =>
  typeof expression === 'object' && 'aggregation' in expression;

/** Returns the formula as users write it in the formula editor of Lens. */
export function formulaText(expression: Expression): string {
  if (typeof expression === 'number') return String(expression);
  if (isAggregated(expression)) {
    const { aggregation, field, of } = expression;
    return `${aggregation}(${field}${of === undefined ? '' : `, kql='${of}'`})`;
  }
  const [left, right] = expression.operands.map((operand) =>
    typeof operand === 'object' && !isAggregated(operand)
      ? `(${formulaText(operand)})`
      : formulaText(operand),
  );
  return `${left} ${SIGNS[expression.operator]} ${right}`;
}

/** Returns all fields of an expression, with repetitions. */
export function fieldsOf(expression: Expression): string[] {
  if (typeof expression === 'number') return [];
  return isAggregated(expression) ? [expression.field] : expression.operands.flatMap(fieldsOf);
}

/** Returns the KQL queries of all aggregations in an expression; '' for an aggregation of all documents. */
export function queriesOf(expression: Expression): string[] {
  if (typeof expression === 'number') return [];
  return isAggregated(expression) ? [expression.of ?? ''] : expression.operands.flatMap(queriesOf);
}

/** A column of a Lens layer (x-pack/platform/plugins/shared/lens, `FormBasedLayer`; 8.3: `IndexPatternLayer`). */
export type Column = Readonly<Record<string, unknown>>;
export type Columns = Readonly<Record<string, Column>>;

const NUMBER = { dataType: 'number', isBucketed: false, scale: 'ratio' } as const;

const aggregatedColumn = ({ aggregation, field, of }: Aggregated, more: object): Column => ({
  ...NUMBER,
  operationType: aggregation,
  sourceField: field,
  ...(of === undefined ? {} : { filter: { language: 'kuery', query: of } }),
  ...more,
});

/** Number format of Lens. `decimals`: digits after the decimal point. */
export interface Format {
  id: 'number' | 'percent' | 'bytes';
  decimals: number;
}

export interface Measure {
  label: string;
  is: Expression;
  format: Format;
}

/**
 * Returns the columns of a measure in Lens. A single aggregation has one column. A formula has a column for its result, one for the
 * calculation, and one for each aggregation in it.
 */
export function measureColumns(id: string, { label, is, format }: Measure): Columns {
  const shown = { format: { id: format.id, params: { decimals: format.decimals } } };
  const named = { label, customLabel: true };
  if (isAggregated(is)) return { [id]: aggregatedColumn(is, { ...named, params: shown }) };
  const parts: Record<string, Column> = {};
  /** Returns an operand of the formula in the form that Lens stores: a number, the name of a column, or a function with its arguments. */
  const arithmetic = (operand: Expression): unknown => {
    if (typeof operand === 'number') return operand;
    if (!isAggregated(operand)) {
      return {
        type: 'function',
        name: operand.operator,
        args: operand.operands.map(arithmetic),
        text: formulaText(operand),
      };
    }
    const part = `${id}X${Object.keys(parts).length}`;
    parts[part] = aggregatedColumn(operand, { label: `Part of ${label}`, customLabel: true, params: {} });
    return part;
  };
  const tinymathAst = arithmetic(is);
  const math = `${id}X${Object.keys(parts).length}`;
  return {
    [id]: {
      ...NUMBER,
      ...named,
      operationType: 'formula',
      params: { formula: formulaText(is), isFormulaBroken: false, ...shown },
      references: [math],
    },
    ...parts,
    [math]: {
      ...NUMBER,
      label: `Part of ${label}`,
      customLabel: true,
      operationType: 'math',
      params: { tinymathAst },
      references: Object.keys(parts),
    },
  };
}
