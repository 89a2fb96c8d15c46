/**
 * Registers the rule types with Kibana's pages. Kibana renders the form in its own React, of another version than ours: a
 * component of Kibana's React gives one div, in which our own root lives. The form is loaded when it is first shown.
 */
import { RULE_TYPE_IDS, RULE_TYPES, type RuleTypeId } from '../../common/alerting/rule-types';
import type { mount, MountedForm, validate as validateParams } from './rule-form';
import type { CoreSetup, KibanaReact, RuleFormProps, RuleTypeModel, TriggersActionsUiSetup } from './sdk';

/** The forms' own script below the folder of the plugin's bundles. Set when the plugin is built. */
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

/** Kibana's own check when it is saved says the same: until the form is there nothing can be wrong yet. */
const validate =
  (id: RuleTypeId): RuleTypeModel['validate'] =>
  (params) => ({ errors: form?.validate(id, params) ?? {} });

/** Follows the props that Kibana gives, from the moment when the form is there. */
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
        // What the form has just set, Kibana may have handed over before the form was there to be updated.
        this.mounted.update(this.props);
      })
      .catch((error: unknown) => {
        // oxlint-disable-next-line no-console -- there is nothing else that could tell
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

/** Hooks of Kibana's React: of the component that it is. */
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
      // Once: what changes later is told by the effect below.
      // oxlint-disable-next-line react/exhaustive-deps
    }, []);
    React.useEffect(() => {
      follower.current?.update(props);
      return undefined;
    });
    return React.createElement('div', { ref: place });
  };
}

/** Does nothing where there are no such pages. */
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
