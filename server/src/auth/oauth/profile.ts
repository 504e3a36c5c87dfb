// Turns a provider's profile into user fields that follow the rules of the sign-up form; never refuses.
import { cleanText } from '@parley/schema/clean-text';
import { SignUp } from '@parley/schema/accounts/users';
import type { Profile } from '../../config/parts/sign-in-sites.ts';

const { shape } = SignUp;
const NAME_MAX = 79;
const USERNAME_MAX = 19;
const PICTURE_MAX = 2_000;

/** The normalised e-mail address; null when absent or invalid. */
export function profileEmail({ email }: Pick<Profile, 'email'>): string | null {
  return shape.email.safeParse(cleanText(email ?? '')).data ?? null;
}

/** Falls back to the part before the @, then to the whole address, when the name is too short. */
export function profileName({ name }: Pick<Profile, 'name'>, email: string): string {
  const candidates = [name ?? '', email.slice(0, email.lastIndexOf('@')), email];
  const names = candidates.map((text) => cut(cleanText(text).replace(/\s+/gu, ' ').trim(), NAME_MAX));
  return names.find((text) => shape.name.safeParse(text).success) ?? cut(email, NAME_MAX);
}

/** Without disallowed characters; null when too little is left. */
export function profileUsername({ username }: Pick<Profile, 'username'>): string | null {
  const remaining = cleanText(username ?? '').replace(/[^\p{L}\p{M}\p{N}_.@#$%&*()-]/gu, '');
  return shape.username.safeParse(cut(remaining, USERNAME_MAX)).data ?? null;
}

/**
 * The address of the image; null when absent or no address. Whether it may be requested is the egress guard's part.
 */
export function profileImage({ imageURL }: Pick<Profile, 'imageURL'>): string | null {
  const isGood =
    imageURL !== null && imageURL.length <= PICTURE_MAX && /^https?:\/\//i.test(imageURL) && URL.canParse(imageURL);
  return isGood ? new URL(imageURL).href : null;
}

/** Never splits a surrogate pair. */
function cut(text: string, max: number): string {
  return text.length <= max
    ? text
    : text
        .slice(0, max)
        .replace(/[\ud800-\udbff]$/, '')
        .trim();
}
