import type { TFunction } from 'i18next';
import { describeError } from '../lib/describe-error.ts';
import { statusOf } from '../lib/reason-of.ts';

/** The sentence for a failed sign-in. What exactly did not fit is never said. */
export function describeSignInFailure(error: unknown, t: TFunction): string {
  const status = statusOf(error);
  if (status === null) return describeError(error, t);
  if (status === 429) return t('com_auth_error_login_rl');
  if (status === 403) return t('com_auth_error_login_ban');
  return status >= 500 ? t('com_auth_error_login_server') : t('com_auth_error_login');
}

/** The sentence for a failed sign-up, with what the server said about it. */
export function describeSignUpFailure(error: unknown, t: TFunction): string {
  const sentence = describeError(error, t);
  return statusOf(error) === null ? sentence : `${t('com_auth_error_create')} ${sentence}`;
}
