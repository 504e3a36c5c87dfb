export const PASSKEY_NAME_MAX = 60;
/** More than anybody has; each costs a line in the browser's question. */
export const PASSKEYS_MAX = 20;
