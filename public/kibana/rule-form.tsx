/** The rule forms within Kibana's form, loaded when they are needed. Each has its own React root in a div of Kibana. */
import { createMemoryHistory } from 'history';
import { QueryClientProvider } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { paramProblems } from '../../common/alerting/problems';
import type { RuleTypeId } from '../../common/alerting/rule-types';
import { FormProvider } from '../alerting/form-context';
import { RULE_FORMS } from '../alerting/forms';
import { createClient } from '../api/client';
import { createQueryClient } from '../api/queries';
import { AppContextProvider } from '../app/context';
import { CrashBoundary } from '../app/crash-boundary';
import { Themed } from '../app/themed';
import { bringIcons } from '../ui/icons';
import { createHost, type KibanaHost } from './host';
import { leaveScope, takeScope } from './new-rule';
import { enter } from './surroundings';
import type { CoreStart, RuleFormProps } from './sdk';

interface FrameProps {
  host: KibanaHost;
  styles: HTMLElement;
  children: ReactNode;
}

function Frame({ host, styles, children }: FrameProps): ReactNode {
  const context = useMemo(() => ({ host, client: createClient(host) }), [host]);
  const queries = useMemo(createQueryClient, []);
  return (
    <AppContextProvider value={context}>
      <Themed global={false} styles={styles}>
        <QueryClientProvider client={queries}>
          <CrashBoundary>{children}</CrashBoundary>
        </QueryClientProvider>
      </Themed>
    </AppContextProvider>
  );
}

export interface MountedForm {
  /** Updates the form with new parameters from Kibana. */
  update(props: RuleFormProps): void;
  unmount(): void;
}

/** Sets the defaults of a new rule, and shows the form in `element`. */
export function mount(
  core: CoreStart,
  id: RuleTypeId,
  element: HTMLElement,
  given: RuleFormProps,
): MountedForm {
  const { schema, first, ofScope, Form } = RULE_FORMS[id];
  bringIcons();
  // The style sheets are part of the form, because other roots of Dyno may be elsewhere in the document.
  const styles = document.createElement('div');
  const place = document.createElement('div');
  element.append(styles, place);
  const surroundings = enter(place);
  const host = createHost(core, { history: createMemoryHistory() }, surroundings.portals);
  const root = createRoot(place);
  let { setRuleParams } = given;
  // The function `set` never changes, although Kibana passes a new function at every change.
  const set = (name: string, value: unknown): void => setRuleParams(name, value);

  const update = (props: RuleFormProps): void => {
    ({ setRuleParams } = props);
    root.render(
      <Frame host={host} styles={styles}>
        <FormProvider schema={schema} first={first} given={props.ruleParams} set={set}>
          <Form />
        </FormProvider>
      </Frame>,
    );
  };
  update(given);
  const isNew = Object.keys(first).every((name) => given.ruleParams[name] === undefined);
  const scope = isNew ? takeScope(id, window.sessionStorage, Date.now()) : {};
  const initial = { ...first, ...ofScope(scope) };
  for (const [name, value] of Object.entries(initial)) {
    if (given.ruleParams[name] === undefined) set(name, value);
  }
  return {
    update,
    unmount() {
      leaveScope(id, Date.now());
      root.unmount();
      surroundings.leave();
      styles.remove();
      place.remove();
      host.leave();
    },
  };
}

/** Returns the error messages for each invalid parameter. Empty if all parameters are valid. */
export const validate = (id: RuleTypeId, params: unknown): Record<string, string[]> =>
  paramProblems(RULE_FORMS[id].schema, params);
