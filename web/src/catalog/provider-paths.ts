/** Where administrators add providers. */
export const PROVIDERS_PATH = '/admin/providers';
export const ADD_PROVIDER_PATH = `${PROVIDERS_PATH}?add`;
/** Where they see what is used, and set budgets. */
export const USAGE_PATH = '/admin/usage';
