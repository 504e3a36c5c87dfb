import { Menu } from '@mantine/core';
import { costInCredits, isPriced, ratesOfCall } from '@parley/schema/catalog/rates';
import type { ModelTotal } from '@parley/schema/messages/model-total';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { trpc } from '../../trpc.ts';
import { formatCredits } from '../../lib/format-number.ts';

/** In a chat's menu: the tokens of its answers and their cost. Asked for when the menu opens. */
export function ChatTotalRow({ conversationId }: { conversationId: string }) {
  const { t, i18n } = useTranslation();
  const { data } = trpc.messages.total.useQuery({ conversationId }, { staleTime: 0, gcTime: 0 });
  // Its line is there before its figures, so that the rows stay where they are.
  return (
    <Menu.Label>{t('com_context_chat_total', { 0: data ? describeTotal(data, t, i18n.language) : '…' })}</Menu.Label>
  );
}

/** Tokens, and money where a price is known of all of them. */
function describeTotal(totals: readonly ModelTotal[], t: TFunction, language: string): string {
  const tokens = totals.reduce((sum, { input, output }) => sum + input + output, 0);
  const isCosted = totals.length > 0 && totals.every(({ endpointType }) => isPriced(endpointType));
  const credits = totals.reduce((sum, total) => sum + costInCredits(total, ratesOfCall(total)), 0);
  const facts = [t('com_chat_tokens', { count: tokens }), ...(isCosted ? [formatCredits(credits, language)] : [])].join(
    ' · ',
  );
  return totals.some(({ isEstimate }) => isEstimate) ? t('com_context_about', { 0: facts }) : facts;
}
