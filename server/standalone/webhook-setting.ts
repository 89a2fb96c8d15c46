/** The variable with the address of the webhook, as others do not see it. */
export const WEBHOOK_SETTING = 'DYNO_WEBHOOK';
