/** Everything of ours that must look different beside Kibana's own styles hangs on it. */
export const ROOT_CLASS = 'dynoInKibana';
