/** What a rule type is called and says: texts alone, for Kibana loads them with every one of its pages. */
export interface RuleTypeTexts {
  name: string;
  description: string;
  /** Of EUI. */
  icon: string;
  /** Levels of its alerts, the worst first; `recovered` is Kibana's own. */
  actionGroups: readonly { id: string; name: string }[];
  /** The level whose actions a new rule gets. */
  defaultActionGroup: string;
  /** How often a new rule looks, as Kibana writes it. */
  interval: string;
  /** Mustache, as Kibana fills it. */
  message: string;
  recoveryMessage: string;
}

/** A variable of messages, as Kibana lists it to who writes one. */
export interface ContextVariable {
  name: string;
  description: string;
}
