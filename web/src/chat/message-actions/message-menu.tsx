import type { Message } from '@parley/schema/messages/messages';
import { useState } from 'react';
import type { OtherModel } from '../../catalog/model-target.ts';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { MenuButton } from './message-menu-button.tsx';
import { messageMenu } from '../lazy-panels.ts';

interface MessageMenuProps {
  message: Message;
  className: string | undefined;
  onAskOther?: ((model: OtherModel) => void) | undefined;
}

/** The less common actions of a message. The menu's code preloads on hover and focus. */
export function MessageMenu({ message, className, onAskOther }: MessageMenuProps) {
  const [isWanted, setWanted] = useState(false);
  const button = { className, onPointerEnter: messageMenu.preload, onFocus: messageMenu.preload };
  if (!isWanted) return <MenuButton {...button} aria-expanded={false} onClick={() => setWanted(true)} />;
  return (
    <LazyBoundary fallback={<MenuButton {...button} aria-expanded />} onFailure={() => setWanted(false)}>
      <messageMenu.Screen message={message} className={className} onAskOther={onAskOther} />
    </LazyBoundary>
  );
}
