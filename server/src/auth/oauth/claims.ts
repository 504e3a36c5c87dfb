// Reads the user's profile, roles and groups from OpenID Connect claims.
import { cleanText } from '@parley/schema/clean-text';
import { GROUP_NAME_MAX } from '@parley/schema/accounts/group-rules';
import * as z from 'zod';
import type { ClaimedGroups, ClaimedRole, Profile } from '../../config/parts/sign-in-sites.ts';

export type Claims = Readonly<Record<string, unknown>>;

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
export function hasRole(claims: Claims, { roles, path }: Pick<ClaimedRole, 'roles' | 'path'>): boolean {
  return textsAt(claims, path).some((role) => roles.includes(role));
}

/**
 * The names of groups, as groups here are named: Keycloak writes a path, `/staff`. Undefined where the site has too many
 * to list (OpenID Connect Core, 5.6.2; Entra ID beyond 200): nothing is known then.
 */
export function groupsIn(claims: Claims, { path, only }: Omit<ClaimedGroups, 'token'>): string[] | undefined {
  const elsewhere = claims['_claim_names'];
  if (typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, path)) return undefined;
  return groupNames(
    textsAt(claims, path).map((text) => text.replace(/^\//, '')),
    only,
  );
}

/** Those of the names that may be groups here, each once. */
export function groupNames(given: readonly string[], only: readonly string[] | undefined): string[] {
  const names = given.map((text) => cleanText(text).trim());
  const fitting = names.filter((name) => name !== '' && name.length <= GROUP_NAME_MAX && isAmong(only, name));
  return [...new Map(fitting.map((name) => [name.toLowerCase(), name])).values()];
}

function isAmong(patterns: readonly string[] | undefined, name: string): boolean {
  if (!patterns) return true;
  return patterns.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one));
}

/** What a claim holds: one text, or those of a list. */
function textsAt(claims: Claims, path: string): string[] {
  const value = valueAt(claims, path);
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
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
