/**
 * Translates texts, with the interface of Kibana's `@kbn/i18n`, which is not on npm: `i18n.translate('dyno.runs.cancel', { defaultMessage:
 * 'Cancel' })`. Messages are in ICU format: `{count, plural, one {# trial} other {# trials}}`.
 */
import { createIntl, createIntlCache, type IntlShape } from '@formatjs/intl';
import type { Text } from '../common/fields/form';

const cache = createIntlCache();

let intl: IntlShape = createIntl({ locale: 'en', messages: {}, onError: () => undefined }, cache);

type Values = Record<string, string | number | boolean | Date | null | undefined>;

export const i18n = {
  /** Sets the language. Must be called before the first page is drawn. `messages`: texts by id. Default: English. */
  init(locale: string, messages: Record<string, string>): void {
    intl = createIntl({ locale, messages, onError: () => undefined }, cache);
  },
  translate(id: string, { defaultMessage, values }: { defaultMessage: string; values?: Values }): string {
    return intl.formatMessage({ id, defaultMessage }, values);
  },
  /**
   * Translates a text of the server or of shared code. `own`: values that the text itself has for its placeholders. A value in `values`
   * replaces one in `own`.
   */
  say({ id, text, values: own }: Text, values?: Values): string {
    return intl.formatMessage({ id, defaultMessage: text }, { ...own, ...values });
  },
};
