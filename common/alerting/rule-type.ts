/** Texts of a rule type. They are separate from the code of the rule type, because Kibana loads them with every page. */
export interface RuleTypeTexts {
  name: string;
  description: string;
  /** Name of an EUI icon. */
  icon: string;
  /** Levels of the alerts of this type, the worst first. The level `recovered` is not included, because Kibana defines it. */
  actionGroups: readonly { id: string; name: string }[];
  /** Level of the first action of a new rule. */
  defaultActionGroup: string;
  /** Interval of the checks of a new rule, in Kibana's notation. */
  interval: string;
  /** Mustache template, which Kibana fills. */
  message: string;
  recoveryMessage: string;
}

/** A variable for messages, with the description that Kibana shows to the authors of messages. */
export interface ContextVariable {
  name: string;
  description: string;
}
