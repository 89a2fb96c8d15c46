/** The forms of the rule types of common/alerting/rule-types.ts. */
import type { ReactNode } from 'react';
import type * as z from 'zod';
import { rejectionParamsSchema } from '../../common/alerting/rejections/params';
import { regressionParamsSchema } from '../../common/alerting/regressions/params';
import type { RuleTypeId } from '../../common/alerting/rule-types';
import type { RuleScope } from '../app/host';
import type { RawParams } from './form-context';
import { RejectionForm } from './rejections/form';
import { RegressionForm } from './regressions/form';

export interface RuleFormPart {
  schema: z.ZodType;
  /** Parameters of a new rule, and those of one that watches `scope` and nothing else. */
  first: RawParams;
  ofScope(scope: RuleScope): RawParams;
  Form(): ReactNode;
}

/** A rule type that is listed there and has no form here does not compile. */
export const RULE_FORMS: Readonly<Record<RuleTypeId, RuleFormPart>> = {
  'dyno.bulkRejectionRate': {
    schema: rejectionParamsSchema,
    first: rejectionParamsSchema.parse({}),
    ofScope: ({ experiment, target }) => ({
      ...(experiment === undefined ? {} : { experiments: [experiment] }),
      ...(target === undefined ? {} : { target }),
    }),
    Form: RejectionForm,
  },
  'dyno.experimentRegression': {
    schema: regressionParamsSchema,
    // Nobody but the author knows which experiment.
    first: regressionParamsSchema.partial({ experiment: true }).parse({}),
    ofScope: ({ experiment }) => (experiment === undefined ? {} : { experiment }),
    Form: RegressionForm,
  },
};
