/** The forms for all types of alert rules (see common/alerting/rule-types.ts). */
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
  /** Parameters that are set when a user creates a rule of this type. */
  first: RawParams;
  ofScope(scope: RuleScope): RawParams;
  Form(): ReactNode;
}

/** The forms of all rule types. The code does not compile if a rule type has no form here. */
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
    // A new rule has no experiment, because only its author can choose it.
    first: regressionParamsSchema.partial({ experiment: true }).parse({}),
    ofScope: ({ experiment }) => (experiment === undefined ? {} : { experiment }),
    Form: RegressionForm,
  },
};
