/** The kinds of values that a definition is made of: durations, sizes, counts, and objects of which one key is given. */
import { z } from 'zod';
import { BYTES_FORM, parseBytes } from '../units/bytes';
import { DURATION_FORM, parseDuration } from '../units/duration';

// Kibana's content security policy forbids `new Function`, which zod would otherwise try for speed.
z.config({ jitless: true });

export const duration = () =>
  z
    .string({ error: DURATION_FORM })
    .refine((text) => parseDuration(text) !== undefined, { error: DURATION_FORM })
    .meta({ format: 'duration' });

export const wholeSeconds = () =>
  duration().refine((text) => (parseDuration(text) ?? 0) % 1000 === 0, {
    error: 'whole seconds: samples are taken once a second',
  });

export const bytes = () =>
  z.string({ error: BYTES_FORM }).refine((text) => (parseBytes(text) ?? 0) > 0, { error: BYTES_FORM });

export const count = (least = 1) => z.number().int().min(least);

/** An object of which exactly one key is given; `keys` for the message. */
export const exactlyOne =
  (...keys: string[]) =>
  (value: Record<string, unknown>, context: z.RefinementCtx): void => {
    const given = keys.filter((key) => value[key] !== undefined);
    if (given.length === 1) return;
    context.addIssue({
      code: 'custom',
      message:
        given.length === 0
          ? `one of ${keys.join(', ')} is missing`
          : `only one of ${given.join(', ')} is allowed`,
      params: { allowed: `exactly one of ${keys.join(', ')}` },
    });
  };
