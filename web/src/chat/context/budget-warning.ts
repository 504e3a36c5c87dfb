import type { Budget } from '@parley/schema/chat/budget';
import type { TFunction } from 'i18next';
import { i18n } from '../../i18n.ts';

/** The warning to show before sending; null when the whole conversation fits. */
export function budgetWarning(
  { fits, question, window, reserve, instructions, omitted, summary }: Budget,
  t: TFunction,
) {
  if (!fits) {
    const room = Math.max(0, window - reserve - instructions);
    return t('com_context_too_long', {
      0: question.toLocaleString(i18n.language),
      1: room.toLocaleString(i18n.language),
    });
  }
  if (omitted === 0) return null;
  return summary ? t('com_context_summed_up', { count: omitted }) : t('com_context_unseen', { count: omitted });
}
