/**
 * Texts, so that they can be translated: `i18n.translate('dyno.runs.cancel', { defaultMessage: 'Cancel' })`, as Kibana's
 * own `@kbn/i18n` is called, which is not on npm. Messages are ICU: `{count, plural, one {# trial} other {# trials}}`.
 */
import { createIntl, createIntlCache, type IntlShape } from '@formatjs/intl';
import type { Text } from '../common/fields/form';

const cache = createIntlCache();

let intl: IntlShape = createIntl({ locale: 'en', messages: {}, onError: () => undefined }, cache);

type Values = Record<string, string | number | boolean | Date | null | undefined>;

export const i18n = {
  /** Before the first page is drawn; `messages` by id. Without it texts are English. */
  init(locale: string, messages: Record<string, string>): void {
    intl = createIntl({ locale, messages, onError: () => undefined }, cache);
  },
  translate(id: string, { defaultMessage, values }: { defaultMessage: string; values?: Values }): string {
    return intl.formatMessage({ id, defaultMessage }, values);
  },
  /** A text that stands in `common`, beside what it speaks of. */
  say({ id, text }: Text, values?: Values): string {
    return intl.formatMessage({ id, defaultMessage: text }, values);
  },
};
