import { useTranslation } from 'react-i18next';
import { describeError } from './describe-error.ts';

/** Why a call failed, in a sentence. */
export function ErrorText({ error }: { error: unknown }) {
  const { t } = useTranslation();
  return describeError(error, t);
}
