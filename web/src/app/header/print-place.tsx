import { useAtom } from 'jotai';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { isPrintingAtom } from '../../chat/print-chat.ts';
import type { Chat } from '../../chat/use-chat.ts';
import { useOpenConvo } from '../../convos/open-convo.ts';
import { readDialogs } from '../dialogs/read-dialogs.ts';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';

const printSheet = lazyScreen(async () => (await readDialogs()).PrintSheet);

/** The chat as it is printed, once it is asked for. */
export function PrintPlace({ chat }: { chat: Chat }) {
  const [isPrinting, setPrinting] = useAtom(isPrintingAtom);
  const { t } = useTranslation();
  const listed = useOpenConvo()?.title;
  const title = listed ?? chat.convo?.title ?? t('com_ui_new_chat');
  const { conversationId } = chat.slot;
  const close = () => setPrinting(false);
  // It does not go on in another chat.
  useEffect(() => () => setPrinting(false), [conversationId, setPrinting]);
  if (!isPrinting || chat.path.length === 0) return null;
  return (
    <LazyBoundary onFailure={close}>
      <printSheet.Screen key={conversationId} chat={chat} title={title} onClose={close} />
    </LazyBoundary>
  );
}
