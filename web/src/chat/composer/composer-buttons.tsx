import { AddButton } from '../add/add-button.tsx';
import { Toggles } from '../toggles/toggles.tsx';
import type { Chat } from '../use-chat.ts';
import classes from './composer-buttons.module.css';

/** What goes along with a question, and how it is answered. */
export function ComposerButtons({ chat }: { chat: Chat }) {
  return (
    <div className={classes.buttons}>
      <AddButton chat={chat} />
      <Toggles chat={chat} />
    </div>
  );
}
