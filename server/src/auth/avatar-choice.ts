// What the `avatar` of a user's row contains beside the address: whose choice it is.

/** Marks what the user decided about the avatar: a sign-in by another site leaves it. */
export const CHOSEN = '?manual=true';
/** In place of an address: the user took the image away. */
export const NONE_CHOSEN = CHOSEN;

/** Whether the user uploaded the avatar, or took it away. */
export function isChosen(avatar: string | null): boolean {
  return avatar?.endsWith(CHOSEN) ?? false;
}

/** The address of the avatar. */
export function avatarAddress({ avatar }: { avatar: string | null }): string | null {
  return avatar === NONE_CHOSEN ? null : avatar;
}
