/**
 * What Dyno uses of Kibana's alerting plugin on the server. Read in the built 8.3.3 (`x-pack/plugins/alerting/server`) and
 * in Kibana's main (`x-pack/platform/plugins/shared/alerting/server/types.ts`, `rule_type_registry.ts`).
 */
import type { ScopedClusterClient } from '../sdk';

export interface ActionGroup {
  id: string;
  name: string;
}

/** alert/alert.ts; a group is scheduled at every look at which the alert is active: one that is not has recovered. */
export interface KibanaAlert<Context> {
  getId(): string;
  /** Once a look. */
  scheduleActions(group: string, context: Context): unknown;
  setContext(context: Context): unknown;
}

/** alert/create_alert_factory.ts */
export interface AlertFactory<Context> {
  /** Throws beyond the limit, and after `done`. */
  create(id: string): KibanaAlert<Context>;
  done(): { getRecoveredAlerts(): KibanaAlert<Context>[] };
  /** 8.3 has none. Who asks for the value must say whether it was reached. */
  alertLimit?: { getValue(): number; setLimitReached(reached: boolean): void };
}

export interface RuleExecutorOptions<Params, Context> {
  /** Of 8.3, whose `rule` has no id. */
  alertId?: string;
  rule: { id?: string; name: string };
  params: Params;
  /** What the last look returned: 8.3 keeps the whole answer, 9.x what is in its `state`. */
  state: unknown;
  startedAt: Date;
  spaceId: string;
  services: {
    alertFactory: AlertFactory<Context>;
    /** With the rights of who saved the rule last. */
    scopedClusterClient: ScopedClusterClient;
  };
}

export interface RuleType<Params, Context> {
  id: string;
  name: string;
  /** Like `solution` unknown and harmless in 8.3. */
  category: 'management';
  solution: 'stack';
  producer: string;
  actionGroups: ActionGroup[];
  defaultActionGroupId: string;
  minimumLicenseRequired: 'basic';
  isExportable: boolean;
  doesSetRecoveryContext: boolean;
  /** Throws for wrong ones; Kibana stores what it returns. */
  validate: { params: { validate(params: unknown): Params } };
  actionVariables: { context: { name: string; description: string }[] };
  defaultScheduleInterval: string;
  ruleTaskTimeout: string;
  /** The page that *View in app* opens, below the space; 8.3 does not know it. */
  getViewInAppRelativeUrl(options: { rule: { params: Params } }): string;
  executor(options: RuleExecutorOptions<Params, Context>): Promise<{ state: Record<string, unknown> }>;
}
