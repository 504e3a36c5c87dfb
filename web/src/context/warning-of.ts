import type { Budget } from '@parley/schema/budget';
import type { TFunction } from 'i18next';

/** What a person should know before sending; null when all of the conversation will be seen. */
export function warningOf({ fits, question, window, reserve, instructions, omitted, summary }: Budget, t: TFunction) {
  if (!fits) {
    const room = Math.max(0, window - reserve - instructions);
    return t('com_context_too_long', { 0: question.toLocaleString(), 1: room.toLocaleString() });
  }
  if (omitted === 0) return null;
  return summary ? t('com_context_summed_up', { count: omitted }) : t('com_context_unseen', { count: omitted });
}
