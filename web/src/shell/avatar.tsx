import type { User } from '@parley/schema/users';
import classes from './avatar.module.css';
import { initials } from './initials.ts';

/** Pictures of other sites, as social sign-ins bring them, are not loaded: their owners would see who reads here. */
const OURS = /^\/(?!\/)/;

/** A person's picture, or the initials. The name always stands beside it, so it is not spoken. */
export function Avatar({ user }: { user: User }) {
  if (user.avatar && OURS.test(user.avatar))
    return <img className={classes.avatar} src={user.avatar} alt="" width={28} height={28} />;
  return (
    <span className={classes.avatar} aria-hidden>
      {initials(user.name)}
    </span>
  );
}
