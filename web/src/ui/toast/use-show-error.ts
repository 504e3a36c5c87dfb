import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { showToast } from './toast.ts';
import { describeError } from '../../errors/describe-error.ts';

/** Tells in a toast why something failed. */
export function useShowError(): (error: unknown) => void {
  const { t } = useTranslation();
  return useCallback((error) => showToast({ message: describeError(error, t), severity: 'error' }), [t]);
}
