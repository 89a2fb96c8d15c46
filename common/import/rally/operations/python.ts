import type { Conversion, Convert, Given } from './operation';
export function pythonSource(
  _given: Given,
  source: string,
  _typed: (type: string) => Convert | undefined,
): Conversion {
  return { left: `takes its parameters from ${source}, which is written in Python` };
}
export function pythonRunner({ operation }: Given): Conversion {
  return { left: `is carried out by ${operation.type}, which is written in Python` };
}
