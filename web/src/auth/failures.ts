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
  if (status === 403) return banOf(error, t);
  return status >= 500 ? t('com_auth_error_login_server') : t('com_auth_error_login');
}

/** With its end, where that is known. */
function banOf(error: unknown, t: TFunction): string {
  const reason = reasonOf(error);
  return reason?.type === 'banned' ? describeReason(reason, t) : t('com_auth_error_login_ban');
}

/** The sentence for a failed sign-up, with what the server said about it. */
export function describeSignUpFailure(error: unknown, t: TFunction): string {
  const sentence = describeError(error, t);
  return statusOf(error) === null ? sentence : `${t('com_auth_error_create')} ${sentence}`;
}
