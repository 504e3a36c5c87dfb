import { typedKeys } from '../entries.ts';

/**
 * Sites by which people sign in, in the order of their buttons, with their names on them. Each has a definition in
 * `server/src/auth/oauth/sites/`.
 */
export const SIGN_IN_SITES = {
  google: 'Google',
  facebook: 'Facebook',
  /** The operator labels its button. */
  openid: null,
  github: 'GitHub',
  discord: 'Discord',
} as const;

export type SignInSite = keyof typeof SIGN_IN_SITES;

export const SIGN_IN_SITE_NAMES = typedKeys(SIGN_IN_SITES);
