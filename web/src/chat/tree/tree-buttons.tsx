import { IconBinaryTree2, IconListTree } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import type { Chat } from '../use-chat.ts';
import { hasOutline } from './outline-rows.ts';
import classes from './tree-buttons.module.css';
import { outline, treeMap } from '../lazy-panels.ts';

/** Open the outline of a long chat and the map of its branches, where there are any. */
export function TreeButtons({ chat }: { chat: Chat }) {
  const hasBranches = chat.tree.byId.size > chat.path.length;
  return (
    <>
      {hasOutline(chat.path) && <OpenButton kind="outline" chat={chat} isSpare={hasBranches} />}
      {hasBranches && <OpenButton kind="map" chat={chat} />}
    </>
  );
}

const kinds = {
  outline: { screen: outline, Sign: IconListTree, label: 'com_chat_outline' },
  map: { screen: treeMap, Sign: IconBinaryTree2, label: 'com_chat_tree' },
} as const;

interface OpenButtonProps {
  kind: keyof typeof kinds;
  chat: Chat;
  /** Left out on phones. */
  isSpare?: boolean;
}

function OpenButton({ kind, chat, isSpare = false }: OpenButtonProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { screen, Sign, label } = kinds[kind];

  /** A chosen message takes the focus itself. */
  function close(hasChosen: boolean): void {
    setOpen(false);
    if (!hasChosen) button.current?.focus({ preventScroll: true });
  }

  return (
    <>
      <IconButton
        ref={button}
        className={isSpare ? classes.spare : undefined}
        label={t(label)}
        aria-haspopup="dialog"
        onPointerEnter={screen.preload}
        onFocus={screen.preload}
        onClick={() => setOpen(true)}
      >
        <Sign aria-hidden />
      </IconButton>
      {isOpen && (
        <LazyBoundary onFailure={() => close(false)}>
          <screen.Screen chat={chat} onClose={close} />
        </LazyBoundary>
      )}
    </>
  );
}
