import type { ComponentProps } from 'react';
import { isPlainClick } from '../lib/plain-click.ts';
import { useNewChat } from './use-new-chat.ts';

/** A real link, so that a new tab, a new window and the context menu work; a plain click starts a chat here. */
export function NewChatLink({ children, ...props }: Omit<ComponentProps<'a'>, 'href' | 'onClick'>) {
  const newChat = useNewChat();
  return (
    <a
      {...props}
      href="/c/new"
      onClick={(event) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        newChat();
      }}
    >
      {children}
    </a>
  );
}
