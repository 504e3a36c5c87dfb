import { AttachButton } from '../attachments/attach-button.tsx';
import { ToolsButton } from '../tools/tools-button.tsx';
import type { Chat } from '../use-chat.ts';
import classes from './composer-buttons.module.css';

/** What can be added to a question: files and tools. */
export function ComposerButtons({ chat }: { chat: Chat }) {
  return (
    <div className={classes.buttons}>
      <AttachButton chat={chat} />
      <ToolsButton chat={chat} />
    </div>
  );
}
