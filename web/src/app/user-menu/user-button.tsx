import { IconDots } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import type { ComponentProps } from 'react';
import { session } from '../../session/current-session.ts';
import { UserAvatar } from '../../files/avatar/user-avatar.tsx';
import classes from './user-menu.module.css';
import { VisuallyHidden } from '../../ui/primitives/visually-hidden.tsx';
import { PlainButton } from '../../ui/primitives/plain-button.tsx';

interface UserButtonProps extends ComponentProps<'button'> {
  /** The image alone. */
  isSmall: boolean;
}

/** The row at the foot of the sidebar. */
export function UserButton({ className = '', isSmall, ...props }: UserButtonProps) {
  const { user } = useAtomValue(session.state);
  if (!user) return null;
  return (
    <PlainButton className={`${classes.button} ${className}`} data-testid="nav-user" aria-haspopup="menu" {...props}>
      <UserAvatar user={user} />
      {isSmall ? (
        <VisuallyHidden>{user.name}</VisuallyHidden>
      ) : (
        <>
          <span className={classes.name} dir="auto" data-tooltip={user.email}>
            {user.name}
          </span>
          <IconDots className={classes.dots} aria-hidden />
        </>
      )}
    </PlainButton>
  );
}
