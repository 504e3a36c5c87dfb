import { IconArrowUp } from '@tabler/icons-react';
import classes from './waiting-icon.module.css';

/** In the send button, while a question waits for its uploads. */
export function WaitingIcon() {
  return (
    <span className={classes.icon} aria-hidden data-testid="waiting-to-send">
      <IconArrowUp />
    </span>
  );
}
