import './lazy-words.ts';
import type { TFunction } from 'i18next';
import { describeError } from '../lib/describe-error.ts';
import { describeReason } from '../lib/describe-reason.ts';
import { reasonOf, statusOf } from '../lib/reason-of.ts';

/** The sentence for a failed sign-in. What exactly did not fit is never said. */
export function describeSignInFailure(error: unknown, t: TFunction): string {
  const status = statusOf(error);
  if (status === null) return describeError(error, t);
  if (status === 429) return t('com_auth_error_login_rl');
  if (status === 403) return closureOf(error, t);
  return status >= 500 ? t('com_auth_error_login_server') : t('com_auth_error_login');
}

/** A ban, with its end where that is known, or a site where nobody signs in like this. */
function closureOf(error: unknown, t: TFunction): string {
  const reason = reasonOf(error);
  const isKnown = reason?.type === 'banned' || reason?.type === 'email_login_closed';
  return isKnown ? describeReason(reason, t) : t('com_auth_error_login_ban');
}

/** The sentence for a link that was not given. */
export function describeResetFailure(error: unknown, t: TFunction): string {
  return reasonOf(error)?.type === 'not_found' ? t('com_auth_error_reset_password') : describeError(error, t);
}

/** The sentence for a failed sign-up, with what the server said about it. */
export function describeSignUpFailure(error: unknown, t: TFunction): string {
  const sentence = describeError(error, t);
  return statusOf(error) === null ? sentence : `${t('com_auth_error_create')} ${sentence}`;
}
