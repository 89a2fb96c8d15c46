/** Environment variable with the URL of the webhook, which other users cannot see. */
export const WEBHOOK_SETTING = 'DYNO_WEBHOOK';
