/** Creates alerting rules in a real Kibana. Their actions write messages to an index, from which tests read them. */
import { CONTEXT_VARIABLES, type AlertContext } from '../../../common/alerting/rejections/context';
import type { RejectionParamsInput } from '../../../common/alerting/rejections/params';
import type { RuleTypeId } from '../../../common/alerting/rule-types';
import { until } from '../../support/until';
import { ask, askElasticsearch } from './kibana';

const INDEX = 'dyno-test-alerts';

/** Message of an action, in which all values are texts. */
export type AlertMessage = Record<keyof AlertContext, string> & { actionGroup: string; alert: string };

export interface WatchedRule {
  id: string;
  /** Returns the messages so far in the order of their arrival. */
  messages(): Promise<AlertMessage[]>;
  /** Waits until at least `count` messages have arrived. */
  waitForMessages(count: number, ms?: number): Promise<AlertMessage[]>;
  remove(): Promise<void>;
}

async function connector(index: string): Promise<string> {
  const { status, body } = await ask<{ id: string }>('POST', '/api/actions/connector', {
    name: index,
    connector_type_id: '.index',
    config: { index, refresh: true, executionTimeField: '@timestamp' },
  });
  if (status !== 200) throw new Error(`no connector: ${JSON.stringify(body)}`);
  return body.id;
}

export async function createRule(name: string, params: RejectionParamsInput): Promise<WatchedRule> {
  const index = `${INDEX}-${name}`;
  await askElasticsearch('DELETE', `/${index}?ignore_unavailable=true`);
  const action = await connector(index);
  const variables = CONTEXT_VARIABLES.map((variable) => [variable.name, `{{context.${variable.name}}}`]);
  const document = {
    ...Object.fromEntries(variables),
    actionGroup: '{{alert.actionGroup}}',
    alert: '{{alert.id}}',
  };
  const { status, body } = await ask<{ id: string }>('POST', '/api/alerting/rule', {
    name,
    rule_type_id: 'dyno.bulkRejectionRate' satisfies RuleTypeId,
    consumer: 'alerts',
    schedule: { interval: '3s' },
    notify_when: 'onActionGroupChange',
    params,
    actions: ['warning', 'critical', 'nodata', 'recovered'].map((group) => ({
      group,
      id: action,
      params: { documents: [document] },
    })),
  });
  if (status !== 200) throw new Error(`no rule: ${JSON.stringify(body)}`);

  async function messages(): Promise<AlertMessage[]> {
    const found = await askElasticsearch<{ hits?: { hits: { _source: AlertMessage }[] } }>(
      'POST',
      `/${index}/_search?ignore_unavailable=true`,
      { size: 100, sort: [{ '@timestamp': { order: 'asc', unmapped_type: 'date' } }] },
    );
    return (found.body.hits?.hits ?? []).map(({ _source }) => _source);
  }

  return {
    id: body.id,
    messages,
    waitForMessages: (count, ms) =>
      until(
        `${count} messages`,
        async () => {
          const all = await messages();
          return all.length >= count ? all : undefined;
        },
        ms,
      ),
    async remove() {
      await ask('DELETE', `/api/alerting/rule/${body.id}`);
      await ask('DELETE', `/api/actions/connector/${action}`);
      await askElasticsearch('DELETE', `/${index}?ignore_unavailable=true`);
    },
  };
}
