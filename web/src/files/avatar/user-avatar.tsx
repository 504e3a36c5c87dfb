import type { User } from '@parley/schema/accounts/users';
import { initials } from '../../lib/initials.ts';
import classes from './user-avatar.module.css';

/** Same-origin URLs only. Social sign-ins bring images of other sites, whose owners would see who uses this one. */
const OURS = /^\/(?!\/)/;

/** A user's image or initials. Hidden from screen readers: the name is always beside it. */
export function UserAvatar({ user }: { user: Pick<User, 'name' | 'avatar'> }) {
  if (user.avatar && OURS.test(user.avatar))
    return <img className={classes.picture} src={user.avatar} alt="" width={28} height={28} />;
  return (
    <span className={classes.picture} aria-hidden>
      {initials(user.name)}
    </span>
  );
}
