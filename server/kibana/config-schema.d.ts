/**
 * Types of the functions in `@kbn/config-schema` that Dyno's settings use. Kibana provides this package to its plugins. The types are valid
 * from 8.3 to 9.x. Source in Kibana's main: src/platform/packages/shared/kbn-config-schema/index.ts.
 */
declare module '@kbn/config-schema' {
  export interface Type<V> {
    /** Type of the validated value. The property only exists for TypeScript, which infers types from it; it has no value. */
    readonly type: V;
    validate(value: unknown): V;
  }

  export type TypeOf<T extends Type<unknown>> = T['type'];

  type Options<V> = { defaultValue?: V };
  type Values<P> = { [K in keyof P]: P[K] extends Type<infer V> ? V : never };

  export const schema: {
    object<P extends Record<string, Type<unknown>>>(properties: P): Type<Values<P>>;
    arrayOf<V>(
      type: Type<V>,
      options?: { minSize?: number; maxSize?: number; defaultValue?: V[] },
    ): Type<V[]>;
    maybe<V>(type: Type<V>): Type<V | undefined>;
    recordOf<V>(
      key: Type<string>,
      value: Type<V>,
      options?: Options<Record<string, V>>,
    ): Type<Record<string, V>>;
    boolean(options?: Options<boolean>): Type<boolean>;
    number(options?: Options<number> & { min?: number; max?: number }): Type<number>;
    string(
      options?: Options<string> & {
        minLength?: number;
        maxLength?: number;
        /** Returns an error message, or undefined if the value is valid. */
        validate?: (value: string) => string | undefined;
      },
    ): Type<string>;
  };
}
