import type { ContextRecord } from '@parley/schema/messages/messages';
import type { TFunction } from 'i18next';

/** Describes the messages omitted from a reply's context; empty when it saw all of them. */
export function describeOmitted({ omitted, summary, summaryFailed }: ContextRecord, t: TFunction): string[] {
  if (omitted === 0) return [];
  if (!summary) {
    const cut = t('com_chat_omitted', { count: omitted });
    return summaryFailed ? [cut, t('com_context_summary_failed')] : [cut];
  }
  const unknown = Math.max(0, omitted - summary.messages);
  return [
    t('com_context_omitted_summed_up', { count: omitted - unknown }),
    ...(unknown > 0 ? [t('com_context_omitted_partly', { count: unknown })] : []),
  ];
}
