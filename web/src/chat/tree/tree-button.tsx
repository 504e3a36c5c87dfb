import { IconBinaryTree2 } from '@tabler/icons-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../shell/icon-button.tsx';
import type { Chat } from '../use-chat.ts';

const loadMap = () => import('./tree-map.tsx');
const TreeMap = lazy(() => loadMap().then(({ TreeMap }) => ({ default: TreeMap })));
const preload = () => void loadMap().catch(() => {});

/** Opens the map of branches. There is nothing to see on it until a conversation has two. */
export function TreeButton({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (chat.tree.byId.size <= chat.path.length) return null;

  /** A message that was chosen takes the focus itself. */
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
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => setOpen(true)}
      >
        <IconBinaryTree2 aria-hidden />
      </IconButton>
      {isOpen && (
        <Suspense>
          <TreeMap chat={chat} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
