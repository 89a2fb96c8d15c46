/** Context of the form for an alert rule: the rule's parameters and their problems. Kibana stores the parameters. */
import { createContext, useContext, useMemo, type ReactNode } from 'react';
import type * as z from 'zod';
import { paramProblems } from '../../common/alerting/problems';
import type { RejectionParams } from '../../common/alerting/rejections/params';
import type { RegressionParams } from '../../common/alerting/regressions/params';

/** Parameters of a rule as Kibana stores them. They may be incomplete while the user types. */
export type RawParams = Readonly<Record<string, unknown>>;

export type ParamName = keyof RejectionParams | keyof RegressionParams;

interface FormContext<Params> {
  /** Parameters of the rule. A parameter that is not set has its default value. */
  raw: RawParams;
  /** Parsed parameters; null if any parameter is invalid. */
  params: Params | null;
  problems: Readonly<Record<string, string[]>>;
  set(name: ParamName, value: unknown): void;
}

const Context = createContext<FormContext<unknown> | null>(null);

interface FormProviderProps {
  schema: z.ZodType;
  /** Defaults of a new rule. They apply to the parameters that are undefined in `given`. */
  first: RawParams;
  given: RawParams;
  set(name: ParamName, value: unknown): void;
  children: ReactNode;
}

export function FormProvider({ schema, first, given, set, children }: FormProviderProps): ReactNode {
  const value = useMemo(() => {
    const known = Object.entries(given).filter(([, each]) => each !== undefined);
    const raw = { ...first, ...Object.fromEntries(known) };
    const parsed = schema.safeParse(raw);
    return {
      raw,
      params: parsed.success ? parsed.data : null,
      problems: paramProblems(schema, raw),
      set,
    };
  }, [schema, first, given, set]);
  return <Context.Provider value={value}>{children}</Context.Provider>;
}

/** Returns the context of the rule form. `Params`: type of the rule's parameters. */
export function useForm<Params = unknown>(): FormContext<Params> {
  const form = useContext(Context);
  if (form === null) throw new Error('outside the form');
  return form as FormContext<Params>;
}
