/** Name of the environment variable with the URL of the webhook. Unlike an option, other users cannot see it. */
export const WEBHOOK_SETTING = 'DYNO_WEBHOOK';
