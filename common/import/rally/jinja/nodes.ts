/** Types for the syntax tree of a template. In each node, `at` is an offset in the template. */

export type Expression = { at: number } & (
  | { type: 'constant'; value: null | boolean | bigint | number | string }
  | { type: 'name'; name: string }
  | { type: 'list' | 'tuple'; items: Expression[] }
  | { type: 'dict'; entries: [Expression, Expression][] }
  | { type: 'attribute'; object: Expression; name: string }
  | { type: 'item'; object: Expression; key: Expression }
  | { type: 'slice'; object: Expression; from?: Expression; to?: Expression; step?: Expression }
  | { type: 'call'; callee: Expression; args: Arguments }
  /** `operand` is null for the filter of a `{% filter %}` block, which is applied to the text in the block. */
  | { type: 'filter'; name: string; operand: Expression | null; args: Arguments }
  | { type: 'test'; name: string; operand: Expression; args: Arguments; isNegated: boolean }
  | { type: 'unary'; operator: '-' | '+' | 'not'; operand: Expression }
  | { type: 'binary'; operator: string; left: Expression; right: Expression }
  | { type: 'concat'; parts: Expression[] }
  | { type: 'compare'; first: Expression; others: { operator: string; value: Expression }[] }
  | { type: 'condition'; test: Expression; then: Expression; otherwise: Expression | null }
);

export interface Arguments {
  positional: Expression[];
  named: [string, Expression][];
  /** The expression after `*` in arguments such as `f(*list)`. */
  spread?: Expression;
  /** The expression after `**` in arguments such as `f(**dict)`. */
  spreadNamed?: Expression;
}

/** The left side of an assignment: a variable, an attribute of a namespace, or a tuple of left sides. */
export type Target = { at: number } & (
  | { type: 'name'; name: string }
  | { type: 'namespace'; name: string; attribute: string }
  | { type: 'tuple'; targets: Target[] }
);

export interface Parameter {
  name: string;
  fallback?: Expression;
}

export type Statement = { at: number } & (
  | { type: 'text'; text: string }
  | { type: 'output'; value: Expression }
  | { type: 'if'; test: Expression; body: Statement[]; otherwise: Statement[] }
  | {
      type: 'for';
      target: Target;
      over: Expression;
      test: Expression | null;
      body: Statement[];
      otherwise: Statement[];
    }
  | { type: 'set'; target: Target; value: Expression }
  | { type: 'set-block'; target: Target; filter: Expression | null; body: Statement[] }
  | { type: 'with'; values: { target: Target; value: Expression }[]; body: Statement[] }
  | { type: 'filter-block'; filter: Expression; body: Statement[] }
  | { type: 'macro'; name: string; parameters: Parameter[]; body: Statement[] }
  | { type: 'call-block'; call: Expression; parameters: Parameter[]; body: Statement[] }
  | { type: 'include'; template: Expression; ignoresMissing: boolean; hasContext: boolean }
);
