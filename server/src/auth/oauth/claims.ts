// Reads the user's profile and roles from OpenID Connect claims.
import * as z from 'zod';
import type { Profile } from './identity-provider.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** A value that a token must contain at a dotted path. */
export interface RequiredRole {
  role: string;
  token: 'access' | 'id';
  path: string;
}

const text = z.string().min(1).nullable().catch(null);

const Standard = z.object({
  sub: z.string().min(1),
  email: text,
  /** Some providers send it as a string. */
  email_verified: z.union([z.literal(true), z.literal('true').transform(() => true)]).catch(false as never),
  name: text,
  preferred_username: text,
  picture: text,
});

/** The claims of OpenID Connect Core, 5.1; those that are missing or odd are null. Undefined without a subject. */
export function claimsProfile(claims: Claims): Profile | undefined {
  const { success, data } = Standard.safeParse(claims);
  if (!success) return undefined;
  return {
    subject: data.sub,
    email: data.email,
    emailVerified: data.email_verified,
    name: data.name,
    username: data.preferred_username,
    imageURL: data.picture,
  };
}

/** True when the claim equals the role or is a list that contains it. */
export function hasRole(claims: Claims, { role, path }: Pick<RequiredRole, 'role' | 'path'>): boolean {
  const value = valueAt(claims, path);
  return Array.isArray(value) ? value.includes(role) : value === role;
}

/** A claim name may itself contain dots, such as `https://example.com/roles`. */
function valueAt(claims: unknown, path: string): unknown {
  if (typeof claims !== 'object' || claims === null) return undefined;
  const own = Object.entries(claims);
  const whole = own.find(([name]) => name === path);
  if (whole) return whole[1];
  const steps = own.filter(([name]) => path.startsWith(`${name}.`));
  return steps.map(([name, below]) => valueAt(below, path.slice(name.length + 1))).find((value) => value !== undefined);
}
