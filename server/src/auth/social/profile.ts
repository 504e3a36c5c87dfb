// What of a description from elsewhere becomes a user's own: by the rules of the form, and never a reason to refuse.
import { cleanText } from '@parley/schema/clean-text';
import { SignUp } from '@parley/schema/users';
import type { Person } from './provider.ts';

const { shape } = SignUp;
const NAME_MAX = 79;
const USERNAME_MAX = 20;
const PICTURE_MAX = 2_000;
/** Of a picture that its owner has chosen here. */
const CHOSEN = '?manual=true';

/** As accounts have it; null for none, and for what is no address. */
export function emailOf({ email }: Pick<Person, 'email'>): string | null {
  return shape.email.safeParse(cleanText(email ?? '')).data ?? null;
}

/** One that is too short gives way to what stands before the @, or to the whole address. */
export function nameOf({ name }: Pick<Person, 'name'>, email: string): string {
  const candidates = [name ?? '', email.slice(0, email.lastIndexOf('@')), email];
  const names = candidates.map((text) => cut(cleanText(text).replace(/\s+/gu, ' ').trim(), NAME_MAX));
  return names.find((text) => shape.name.safeParse(text).success) ?? cut(email, NAME_MAX);
}

/** Without the characters that none has here; null when too little is left. */
export function usernameOf({ username }: Pick<Person, 'username'>): string | null {
  const kept = cleanText(username ?? '').replace(/[^\p{L}\p{M}\p{N}_.@#$%&*()-]/gu, '');
  return shape.username.safeParse(cut(kept, USERNAME_MAX)).data ?? null;
}

/** The picture that a user has from now on. */
export function avatarOf({ picture }: Pick<Person, 'picture'>, stored: string | null): string | null {
  if (stored?.includes(CHOSEN)) return stored;
  const isGood = picture !== null && picture.length <= PICTURE_MAX && URL.canParse(picture);
  const url = isGood ? new URL(picture) : null;
  return url?.protocol === 'https:' && url.href.length <= PICTURE_MAX ? url.href : stored;
}

/** Never half a letter. */
function cut(text: string, max: number): string {
  return text.length <= max
    ? text
    : text
        .slice(0, max)
        .replace(/[\ud800-\udbff]$/, '')
        .trim();
}
