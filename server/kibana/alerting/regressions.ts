/**
 * One check of the rule *Experiment regression*. It reads all completed runs of the rule's experiment. For each metric in each combination
 * of factor levels, it reports a level (ok, warning, ...).
 */
import {
  CONTEXT_VARIABLES,
  contextOf,
  type Links,
  type RegressionContext,
} from '../../../common/alerting/regressions/context';
import { evaluate, worstFirst } from '../../../common/alerting/regressions/evaluate';
import { historyPath, resultPath } from '../../../common/alerting/regressions/links';
import { regressionParamsSchema, type RegressionParams } from '../../../common/alerting/regressions/params';
import { createHistories } from '../../results/histories';
import { readWatched } from '../../results/filtered-history';
import { asElasticsearchClient } from '../elasticsearch';
import type { CheckResult, RulePart, AlertReport, RuleServices } from './adapter';
import type { RuleExecutorOptions } from './sdk';

async function check(
  { resultsOf, urlOf, histories }: RuleServices,
  { params, startedAt, spaceId, services }: RuleExecutorOptions<RegressionParams, RegressionContext>,
): Promise<CheckResult<RegressionContext>> {
  const results = resultsOf(asElasticsearchClient(services.scopedClusterClient.asCurrentUser));
  const history = await readWatched(createHistories(results, { space: spaceId, memory: histories }), params);
  const links: Links = {
    history: (experiment, series) => urlOf(spaceId, historyPath(experiment, series)),
    result: (run) => urlOf(spaceId, resultPath(run)),
  };
  const reports = worstFirst(evaluate(history, params, startedAt.getTime())).map(
    (judgement): AlertReport<RegressionContext> => ({
      id: judgement.id,
      group: judgement.level === 'ok' ? null : judgement.level,
      context: () => contextOf(judgement, history, params, links),
    }),
  );
  // The alerts can be computed from the history alone, so this rule needs no state.
  return { reports, state: {} };
}

export const regressions: RulePart<RegressionParams, RegressionContext> = {
  schema: regressionParamsSchema,
  variables: CONTEXT_VARIABLES,
  page: ({ experiment }) => (experiment === undefined ? '/experiments' : historyPath(experiment, null)),
  check: check,
};
