// The key that is being made. It stays when the settings are closed or the window gets another size, above all the key
// itself, which nobody can read again.
import { API_KEY_DAYS, type ApiScope } from '@parley/schema/accounts/api-key-rules';
import { personalAtom } from '../../../lib/personal-data.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Days; empty for a key that does not expire. */
export const LIFETIMES = ['7', '30', '90', '365', ''] as const;
export type Lifetime = (typeof LIFETIMES)[number];

export interface ProgramKeyDraft {
  name: string;
  scopes: readonly ApiScope[];
  lifetime: Lifetime;
  /** As typed, in dollars. */
  limit: string;
}

/** Without conversations and files, which a key opens only where its person says so. */
const FIRST_SCOPES: readonly ApiScope[] = ['chat', 'embeddings', 'models'];

export const NEW_DRAFT: ProgramKeyDraft = { name: '', scopes: FIRST_SCOPES, lifetime: `${API_KEY_DAYS}`, limit: '' };

/** Null: none is being made. */
export const keyBeingMadeAtom = personalAtom<ProgramKeyDraft | { secret: string } | null>(() => null);

export function endOfLifetime(lifetime: Lifetime, now: Date): string | null {
  return lifetime === '' ? null : new Date(now.getTime() + Number(lifetime) * DAY_MS).toISOString();
}

/** Null for nothing, undefined for what is no amount of money. A comma is a point to many. */
export function readDollars(text: string): number | null | undefined {
  const trimmed = text.trim().replace(',', '.');
  if (trimmed === '') return null;
  const dollars = /^\d{1,6}(\.\d{1,6})?$/.test(trimmed) ? Number(trimmed) : 0;
  return dollars > 0 ? dollars : undefined;
}
