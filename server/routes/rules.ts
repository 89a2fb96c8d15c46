/** Routes of alerting rules. They show which alerts a rule would have raised in the past. */
import { causeInWords } from '../../common/alerting/rejections/cause';
import { reasonOf } from '../../common/alerting/rejections/context';
import type { Judgement } from '../../common/alerting/rejections/evaluate';
import { noCauses, rateOf } from '../../common/alerting/rejections/figures';
import type { RejectionParams } from '../../common/alerting/rejections/params';
import { judgePast, windowsUntil } from '../../common/alerting/rejections/past';
import { judgePast as judgeRuns } from '../../common/alerting/regressions/past';
import type { PastJudgement, RULE_ROUTES } from '../../common/api/rules';
import { readWatched } from '../results/filtered-history';
import type { HandlersOf } from './handler';
import type { Services } from './services';
import { parseTime } from '../../common/units/time';

export const ruleHandlers = ({
  rejections,
  histories,
}: Pick<Services, 'rejections' | 'histories'>): HandlersOf<typeof RULE_ROUTES> => ({
  async testRule({ body: { params, windows: count, until } }, { signal }) {
    const windows = windowsUntil(params, until === undefined ? Date.now() : parseTime(until), count);
    const found = [];
    // The windows are read one at a time, so that a test of a rule puts little load on the cluster.
    for (const window of windows) {
      if (signal.aborted) break;
      found.push(await rejections.read(params, window));
    }
    return {
      windows: judgePast(params, windows, found).map(({ from, to, judgements }) => ({
        from,
        to,
        judgements: judgements.map((judgement) => past(judgement, params)),
      })),
    };
  },

  async testRegressionRule({ body: { params, nights: count } }) {
    return judgeRuns(await readWatched(histories, params), params, count, Date.now());
  },
});

function past(judgement: Judgement, params: RejectionParams): PastJudgement {
  const { group, name, level, was, ground, figures } = judgement;
  const causes = figures?.causes ?? noCauses();
  return {
    group,
    name,
    level,
    was,
    ground,
    reason: reasonOf(judgement, params),
    rate: figures === null || figures.attempted === 0 ? null : rateOf(figures),
    attempted: figures?.attempted ?? 0,
    rejected: figures?.rejected ?? 0,
    silenced: figures?.silenced ?? 0,
    causes,
    cause: causeInWords(causes),
    restarts: figures?.restarts ?? 0,
    run: figures?.run ?? null,
  };
}
