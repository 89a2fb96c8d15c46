/**
 * Registers Dyno's types of alert rules with Kibana's pages. Kibana and Dyno use different versions of React. Therefore, Kibana's React
 * renders an empty div, and Dyno renders the form into this div with its own React.
 */
import { RULE_TYPE_IDS, RULE_TYPES, type RuleTypeId } from '../../common/alerting/rule-types';
import type { mount, MountedForm, validate as validateParams } from './rule-form';
import type { CoreSetup, KibanaReact, RuleFormProps, RuleTypeModel, TriggersActionsUiSetup } from './sdk';

/** Path of the forms' script in the folder of the plugin's bundles. Set when the plugin is built. */
declare const DYNO_RULE_FORM: string;

interface FormModule {
  mount: typeof mount;
  validate: typeof validateParams;
}

let form: FormModule | undefined;

async function loadForm(): Promise<FormModule> {
  form ??= (await import(`${window.__kbnPublicPath__['dyno'] ?? ''}${DYNO_RULE_FORM}`)) as FormModule;
  return form;
}

/**
 * Returns a function that checks the parameters of a rule. The function reports no problems until the code of the form is loaded. Kibana's
 * server checks the parameters again when the rule is saved.
 */
const validate =
  (id: RuleTypeId): RuleTypeModel['validate'] =>
  (params) => ({ errors: form?.validate(id, params) ?? {} });

/** Loads the code of the form, mounts the form, and passes parameters that Kibana changes to the form. */
class Follower {
  private mounted: MountedForm | undefined;
  private gone = false;

  constructor(
    core: CoreSetup,
    id: RuleTypeId,
    element: HTMLElement,
    private props: RuleFormProps,
  ) {
    Promise.all([core.getStartServices(), loadForm()])
      .then(([[start], { mount }]) => {
        if (this.gone) return;
        this.mounted = mount(start, id, element, this.props);
        // Kibana may have passed new parameters before the form was mounted.
        this.mounted.update(this.props);
      })
      .catch((error: unknown) => {
        // oxlint-disable-next-line no-console -- nothing else could report it
        console.error('The form of the rule could not be loaded', error);
        element.textContent = 'This form could not be loaded. Reload the page.';
      });
  }

  update(props: RuleFormProps): void {
    this.props = props;
    this.mounted?.update(props);
  }

  leave(): void {
    this.gone = true;
    this.mounted?.unmount();
  }
}

/** Returns a component for Kibana's React that shows the form of a rule type. */
function expressionOf(
  core: CoreSetup,
  id: RuleTypeId,
  React: KibanaReact,
): (props: RuleFormProps) => unknown {
  return function RuleExpression(props) {
    const place = React.useRef<HTMLElement | null>(null);
    const follower = React.useRef<Follower | null>(null);
    React.useEffect(() => {
      if (place.current) follower.current = new Follower(core, id, place.current, props);
      return () => follower.current?.leave();
      // Runs once. The effect below passes later changes on.
      // oxlint-disable-next-line react/exhaustive-deps
    }, []);
    React.useEffect(() => {
      follower.current?.update(props);
      return undefined;
    });
    return React.createElement('div', { ref: place });
  };
}

/** Registers the rule types. Does nothing if Kibana has no pages for rules. */
export function registerRuleTypes(
  core: CoreSetup,
  triggersActionsUi: TriggersActionsUiSetup | undefined,
): void {
  const React = window.__kbnSharedDeps__?.React;
  if (!triggersActionsUi || !React) return;
  for (const id of RULE_TYPE_IDS) {
    const { description, icon, message, recoveryMessage } = RULE_TYPES[id];
    triggersActionsUi.ruleTypeRegistry.register({
      id,
      description,
      iconClass: icon,
      documentationUrl: null,
      validate: validate(id),
      ruleParamsExpression: expressionOf(core, id, React),
      requiresAppContext: false,
      defaultActionMessage: message,
      defaultRecoveryMessage: recoveryMessage,
    });
  }
}
