import { Menu } from '@mantine/core';
import {
  IconGitFork,
  IconInfoCircle,
  IconRefreshDot,
  IconScissors,
  IconTrash,
  IconPlayerStop,
  IconShare2,
  IconThumbDown,
  IconThumbUp,
  IconVolume,
} from '@tabler/icons-react';
import type { Message } from '@parley/schema/messages/messages';
import { readableText } from '@parley/schema/messages/readable-text';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import type { OtherModel } from '../../catalog/model-target.ts';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { useMenu } from '../../ui/menu/use-menu.ts';
import { MenuRow } from '../../ui/menu/menu-row.tsx';
import { SideBySideRow } from './side-by-side-row.tsx';
import { trpc, api } from '../../trpc.ts';
import { useChatSession } from '../chat-session-context.tsx';
import { MenuButton } from './message-menu-button.tsx';
import { replyDetails, otherModelDialog } from '../lazy-panels.ts';
import { rateMessage } from '../rating/rate-message.ts';
import { isRatable } from '../rating/thumbs.tsx';
import { useReading } from '../voice/read-button.tsx';
import { i18n } from '../../i18n.ts';
import { describeError } from '../../errors/describe-error.ts';
import { showToast } from '../../ui/toast/toast.ts';
import type { MessageCache } from '../cache/message-cache.ts';
import { newId } from '../../lib/new-id.ts';
import { showUndo } from '../../ui/toast/undo.ts';

interface OpenMessageMenuProps {
  message: Message;
  className: string | undefined;
  onAskOther: ((model: OtherModel) => void) | undefined;
}

/** The menu of a message, mounted open. */
export function OpenMessageMenu({ message, className, onAskOther }: OpenMessageMenuProps) {
  const { t } = useTranslation();
  const { cache } = useChatSession();
  const { data: convo } = trpc.convos.byId.useQuery({ conversationId: message.conversationId }, { enabled: false });
  const { button, focusButton, isOpen, menu, dropdown } = useMenu();
  const [dialog, setDialog] = useState<'details' | 'other model' | null>(null);

  function closeDialog(): void {
    setDialog(null);
    focusButton();
  }

  return (
    <>
      <Menu
        {...menu}
        position="bottom-end"
        // Rendered outside the thread, which would clip it, but inside the same landmark.
        withinPortal
        portalProps={{ target: 'main' }}
        // No exit animation: Mantine's late timer would move the focus into the fading menu.
        transitionProps={{ duration: 120, exitDuration: 0 }}
      >
        <Menu.Target>
          <MenuButton ref={button} className={className} data-open={isOpen || undefined} />
        </Menu.Target>
        <Menu.Dropdown {...dropdown}>
          {!message.isCreatedByUser && (
            <MenuRow icon={IconInfoCircle} onClick={() => setDialog('details')}>
              {t('com_context_details')}
            </MenuRow>
          )}
          <AnswerRows message={message} />
          <SideBySideRow message={message} />
          {onAskOther && (
            <MenuRow icon={IconRefreshDot} onClick={() => setDialog('other model')}>
              {t('com_chat_other_model')}
            </MenuRow>
          )}
          {!convo?.temporaryUntil && (
            <MenuRow icon={IconGitFork} onClick={() => void forkAt(cache, message)}>
              {t('com_chat_fork')}
            </MenuRow>
          )}
          <MenuRow icon={IconTrash} onClick={() => void removeMessage(cache, message)}>
            {t('com_chat_remove')}
          </MenuRow>
          <MenuRow icon={IconScissors} onClick={() => void pruneBranch(cache, message)}>
            {t('com_chat_prune')}
          </MenuRow>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'details' && (
        <LazyBoundary onFailure={closeDialog}>
          <replyDetails.Screen message={message} onClose={closeDialog} />
        </LazyBoundary>
      )}
      {dialog === 'other model' && onAskOther && (
        <LazyBoundary onFailure={closeDialog}>
          <otherModelDialog.Screen
            message={message}
            onClose={closeDialog}
            onPick={(model) => {
              closeDialog();
              onAskOther(model);
            }}
          />
        </LazyBoundary>
      )}
    </>
  );
}

/** What can be done with an answer by its menu alone, where the browser can. */
function AnswerRows({ message }: { message: Message }) {
  const { t } = useTranslation();
  const { cache } = useChatSession();
  const { isSpoken, toggle } = useReading(message);
  const text = readableText(message);
  if (message.isCreatedByUser || text === '') return null;
  const isNarrow = window.matchMedia('(max-width: 768px)').matches;
  return (
    <>
      {isNarrow && isRatable(message) && (
        <>
          <MenuRow icon={IconThumbUp} onClick={() => void rateMessage(cache, message, 1)}>
            {message.rating === 1 ? t('com_chat_unrate') : t('com_chat_good_answer')}
          </MenuRow>
          <MenuRow icon={IconThumbDown} onClick={() => void rateMessage(cache, message, -1)}>
            {message.rating === -1 ? t('com_chat_unrate') : t('com_chat_bad_answer')}
          </MenuRow>
        </>
      )}
      {toggle && (isNarrow || isSpoken) && (
        <MenuRow icon={isSpoken ? IconPlayerStop : IconVolume} onClick={toggle}>
          {t(isSpoken ? 'com_chat_stop_reading' : 'com_chat_read_aloud')}
        </MenuRow>
      )}
      {'share' in navigator && (
        <MenuRow icon={IconShare2} onClick={() => void navigator.share({ text }).catch(() => {})}>
          {t('com_chat_share_answer')}
        </MenuRow>
      )}
    </>
  );
}

/** Copies the branch that ends in a message into a new conversation and opens that. */
async function forkAt(cache: Pick<MessageCache, 'putConvo'>, { conversationId, messageId }: Message): Promise<void> {
  try {
    const convo = await api.convos.fork.mutate({ conversationId, messageId, forkId: newId() });
    cache.putConvo(convo);
    navigate(`/c/${convo.conversationId}`);
    showToast({ message: i18n.t('com_chat_forked'), severity: 'success' });
  } catch (error) {
    showToast({ message: describeError(error, i18n.t), severity: 'error' });
  }
}

type Cache = Pick<MessageCache, 'refresh'>;

/** Deletes one message; its children move up to its parent. Can be undone for a while. */
async function removeMessage(cache: Cache, { conversationId, messageId }: Message): Promise<void> {
  await remove(cache, conversationId, async () => {
    const { deletionId } = await api.messages.remove.mutate({ conversationId, messageId });
    return { deletionId, count: 1 };
  });
}

/** Deletes a message and all its descendants, on every branch. Can be undone for a while. */
async function pruneBranch(cache: Cache, { conversationId, messageId }: Message): Promise<void> {
  await remove(cache, conversationId, () => api.messages.prune.mutate({ conversationId, messageId }));
}

async function remove(
  cache: Cache,
  conversationId: string,
  work: () => Promise<{ deletionId: string; count: number }>,
): Promise<void> {
  await withErrorToast(async () => {
    const { deletionId, count } = await work();
    focusThread();
    cache.refresh(conversationId);
    showUndo(i18n.t('com_chat_removed', { count }), () => void restore(cache, conversationId, deletionId));
  });
}

async function restore(cache: Cache, conversationId: string, deletionId: string): Promise<void> {
  await withErrorToast(async () => {
    await api.convos.restore.mutate({ deletionId });
    cache.refresh(conversationId);
  });
}

async function withErrorToast(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    showToast({ message: describeError(error, i18n.t), severity: 'error' });
  }
}

/** Focuses the thread before the focused message is removed. */
function focusThread(): void {
  const thread = document.querySelector<HTMLElement>('[role=log]');
  const { activeElement } = document;
  if (activeElement === document.body || thread?.contains(activeElement)) thread?.focus({ preventScroll: true });
}
