import '../../locales/load/thread.ts';
import { IconBinaryTree2 } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import type { Chat } from '../use-chat.ts';

const map = lazyScreen(async () => (await import('./tree-map.tsx')).TreeMap, 'ahead');

/** Opens the map of branches. Hidden until a conversation has two. */
export function TreeButton({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (chat.tree.byId.size <= chat.path.length) return null;

  /** A chosen message takes the focus itself. */
  function close(hasChosen: boolean): void {
    setOpen(false);
    if (!hasChosen) button.current?.focus({ preventScroll: true });
  }

  return (
    <>
      <IconButton
        ref={button}
        label={t('com_chat_tree')}
        aria-haspopup="dialog"
        onPointerEnter={map.preload}
        onFocus={map.preload}
        onClick={() => setOpen(true)}
      >
        <IconBinaryTree2 aria-hidden />
      </IconButton>
      {isOpen && (
        <LazyBoundary onFailure={() => close(false)}>
          <map.Screen chat={chat} onClose={close} />
        </LazyBoundary>
      )}
    </>
  );
}
