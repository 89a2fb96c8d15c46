/** Name of the environment variable with the URL of the webhook. Other users can see the options of a command, but not its environment. */
export const WEBHOOK_SETTING = 'DYNO_WEBHOOK';
