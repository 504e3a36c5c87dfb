import { IconColumns } from '@tabler/icons-react';
import type { Column } from '@parley/schema/chat/columns';
import type { Message } from '@parley/schema/messages/messages';
import { listSiblings } from '@parley/schema/messages/tree';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, trpc } from '../../trpc.ts';
import { MenuRow } from '../../ui/menu/menu-row.tsx';
import { findThread } from '../cache/thread-query.ts';
import { useChatSession } from '../chat-session-context.tsx';
import { leaveToComposer } from '../../slots/focus-composer.ts';
import { useSlotIndex } from '../../slots/slot.ts';
import { useShowError } from '../../ui/toast/use-show-error.ts';
import { pickSideBySide } from './pick-side-by-side.ts';

/** The newest answers to a question of which those with text are looked for. */
const READ_MAX = 20;

/** Puts the answers to one question side by side, this one among them. */
export function SideBySideRow({ message }: { message: Message }) {
  const { t } = useTranslation();
  const showError = useShowError();
  const { cache } = useChatSession();
  const index = useSlotIndex();
  const client = useQueryClient();
  const { conversationId, messageId } = message;
  const { data: convo } = trpc.convos.byId.useQuery({ conversationId }, { enabled: false });
  const tree = findThread(client, conversationId)?.tree;
  const node = tree?.byId.get(messageId);
  const siblings = tree && node && !message.isCreatedByUser ? listSiblings(tree, node) : [];
  if (siblings.length < 2 || !convo || convo.running !== null) return null;

  async function putSideBySide(): Promise<void> {
    const newest = siblings.slice(-READ_MAX).map((one) => one.messageId);
    const messageIds = [...new Set([messageId, ...newest])];
    try {
      const read = await api.messages.bodies.query({ conversationId, messageIds });
      const replies = siblings.flatMap((one) => read.find((reply) => reply.messageId === one.messageId) ?? []);
      const columns = pickSideBySide(replies, messageId).map(({ endpoint, model, messageId: replyId }): Column => {
        const settings = endpoint === convo?.endpoint ? convo.settings : {};
        return { endpoint, model, settings, replyId };
      });
      cache.putConvo(await api.convos.setColumns.mutate({ conversationId, columns }));
      // The thread goes, with the button of this menu.
      leaveToComposer(index);
    } catch (error) {
      showError(error);
    }
  }

  return (
    <MenuRow icon={IconColumns} onClick={() => void putSideBySide()}>
      {t('com_compare_side_by_side')}
    </MenuRow>
  );
}
