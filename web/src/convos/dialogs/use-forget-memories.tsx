import '@mantine/core/styles/Checkbox.css';
import { Checkbox } from '@mantine/core';
import { useAtomValue } from 'jotai';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { memoryAtom } from '../../account-settings.ts';
import type { ConvoOrId } from '../../dialogs/open-dialog.ts';
import { trpc } from '../../trpc.ts';
import { showToast } from '../../ui/toast/toast.ts';

interface ForgetMemories {
  /** Asks whether they go, too; nothing where these chats have left none. */
  choice: ReactNode;
  /** Deletes them if that was chosen. */
  forgetChosen: () => void;
}

/** What was remembered in chats that are about to be deleted. Read only where chats remember at all. */
export function useForgetMemories(convos: readonly ConvoOrId[]): ForgetMemories {
  const { t } = useTranslation();
  const isKept = Boolean(useAtomValue(memoryAtom));
  const [isChosen, setChosen] = useState(false);
  const conversationIds = convos.map(({ conversationId }) => conversationId);
  const isRead = isKept && conversationIds.length > 0;
  const { data = [] } = trpc.memories.list.useQuery({ conversationIds }, { enabled: isRead, staleTime: 0 });
  const { mutate } = trpc.memories.clear.useMutation({
    onError: () => showToast({ message: t('com_memory_forget_failed'), severity: 'error' }),
  });
  return {
    choice: data.length > 0 && (
      <Checkbox
        label={t('com_memory_forget_too', { count: data.length })}
        checked={isChosen}
        onChange={({ currentTarget }) => setChosen(currentTarget.checked)}
      />
    ),
    forgetChosen: () => {
      if (isChosen) mutate({ conversationIds });
    },
  };
}
