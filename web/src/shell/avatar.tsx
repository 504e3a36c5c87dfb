import type { User } from '@parley/schema/users';
import classes from './avatar.module.css';
import { initials } from './initials.ts';

/** A person's picture, or the initials. The name always stands beside it, so it is not spoken. */
export function Avatar({ user }: { user: User }) {
  if (user.avatar) return <img className={classes.avatar} src={user.avatar} alt="" width={28} height={28} />;
  return (
    <span className={classes.avatar} aria-hidden>
      {initials(user.name)}
    </span>
  );
}
