import type { Reason } from '@parley/schema/reasons';
import type { TFunction } from 'i18next';
import { describeError } from '../errors/describe-error.ts';
import { describeReason } from '../errors/describe-reason.ts';
import { errorReason, errorStatus } from '../errors/error-reason.ts';

/** The message for a failed sign-in. It never reveals which part was wrong. */
export function describeSignInFailure(error: unknown, t: TFunction): string {
  const status = errorStatus(error);
  if (status === null) return describeError(error, t);
  if (status === 429) return t('com_auth_error_login_rl');
  if (status === 403) return closureOf(error, t);
  if (errorReason(error)?.type === 'directory_unreachable') return t('com_error_directory_unreachable');
  if (status >= 500) return t('com_auth_error_login_server');
  return t('com_auth_error_login');
}

const CLOSURES: ReadonlySet<Reason['type']> = new Set([
  'banned',
  'email_login_closed',
  'account_disabled',
  'account_waiting',
  'email_unconfirmed',
  'email_domain_not_allowed',
  'password_expired',
  'social_login',
]);

/** What an administrator or the directory decided, a ban, with its end if known, or a site without password sign-in. */
function closureOf(error: unknown, t: TFunction): string {
  const reason = errorReason(error);
  return reason && CLOSURES.has(reason.type) ? describeReason(reason, t) : t('com_auth_error_login_ban');
}

/** The message for a failed password reset request. */
export function describeResetFailure(error: unknown, t: TFunction): string {
  return errorReason(error)?.type === 'not_found' ? t('com_auth_error_reset_password') : describeError(error, t);
}

/** The message for a failed sign-up, with the server's details. */
export function describeSignUpFailure(error: unknown, t: TFunction): string {
  const sentence = describeError(error, t);
  return errorStatus(error) === null ? sentence : `${t('com_auth_error_create')} ${sentence}`;
}
