import type { ApiScope } from '@parley/schema/accounts/api-key-rules';

/** A key of a person, by which a program calls. */
export interface KeyHolder {
  userId: string;
  keyId: string;
  scopes: readonly ApiScope[];
  /** Null: all endpoints of the person. */
  endpoints: readonly string[] | null;
  monthlyCredits: number | null;
  /** Its owner has to add a second factor first: until then the key opens nothing. */
  lacksFactor?: boolean;
  /** Milliseconds since the epoch; null when it does not expire. */
  expiresAt: number | null;
}
