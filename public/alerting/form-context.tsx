/** The parameters that a rule's form edits, as the host keeps them, and what is wrong with them. */
import { createContext, useContext, useMemo, type ReactNode } from 'react';
import type * as z from 'zod';
import { paramProblems } from '../../common/alerting/problems';
import type { RejectionParams } from '../../common/alerting/rejections/params';
import type { RegressionParams } from '../../common/alerting/regressions/params';

/** As they are stored, or half typed. */
export type RawParams = Readonly<Record<string, unknown>>;

export type ParamName = keyof RejectionParams | keyof RegressionParams;

interface FormContext<Params> {
  /** With the default where nothing is set. */
  raw: RawParams;
  /** Null while something is wrong. */
  params: Params | null;
  problems: Readonly<Record<string, string[]>>;
  set(name: ParamName, value: unknown): void;
}

const Context = createContext<FormContext<unknown> | null>(null);

interface FormProviderProps {
  schema: z.ZodType;
  /** Of a rule that is new. */
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

/** `Params`: of the provider's schema. */
export function useForm<Params = unknown>(): FormContext<Params> {
  const form = useContext(Context);
  if (form === null) throw new Error('outside the form');
  return form as FormContext<Params>;
}
