/** The parameters that the form edits, as the host keeps them, and what is wrong with them. */
import { createContext, useContext, useMemo, type ReactNode } from 'react';
import { paramProblems } from '../../common/alerting/problems';
import { ruleParamsSchema, type RuleParams } from '../../common/alerting/params';

/** As they are stored, or half typed. */
export type RawParams = Readonly<Record<string, unknown>>;

interface FormContext {
  /** With the default where nothing is set. */
  raw: RawParams;
  /** Null while something is wrong. */
  params: RuleParams | null;
  problems: Readonly<Record<string, string[]>>;
  set(name: keyof RuleParams, value: unknown): void;
}

const Context = createContext<FormContext | null>(null);

/** Of a rule that is new. */
export const DEFAULTS: RawParams = ruleParamsSchema.parse({});

interface FormProviderProps {
  given: RawParams;
  set(name: keyof RuleParams, value: unknown): void;
  children: ReactNode;
}

export function FormProvider({ given, set, children }: FormProviderProps): ReactNode {
  const value = useMemo(() => {
    const known = Object.entries(given).filter(([, each]) => each !== undefined);
    const raw = { ...DEFAULTS, ...Object.fromEntries(known) };
    const parsed = ruleParamsSchema.safeParse(raw);
    return { raw, params: parsed.success ? parsed.data : null, problems: paramProblems(raw), set };
  }, [given, set]);
  return <Context.Provider value={value}>{children}</Context.Provider>;
}

export function useForm(): FormContext {
  const form = useContext(Context);
  if (form === null) throw new Error('outside the form');
  return form;
}
