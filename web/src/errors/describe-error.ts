// Tests of this room: tests/unit/web/errors.
import type { TFunction } from 'i18next';
import { describeReason } from './describe-reason.ts';
import { errorReason, errorStatus } from './error-reason.ts';

/** The message for a failed call, whether the server rejected it or was unreachable. */
export function describeError(error: unknown, t: TFunction): string {
  const reason = errorReason(error);
  if (reason) return describeReason(reason, t);
  return errorStatus(error) === null ? t('com_error_network') : t('com_error_unknown_plain');
}
