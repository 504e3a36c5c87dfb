import type { TFunction } from 'i18next';
import { describeError } from '../../errors/describe-error.ts';
import { errorReason } from '../../errors/error-reason.ts';

/** Of a form that makes an account or invites somebody: a conflict is a taken address. */
export function describePeopleFailure(error: unknown, t: TFunction): string {
  return errorReason(error)?.type === 'conflict' ? t('com_people_taken') : describeError(error, t);
}
