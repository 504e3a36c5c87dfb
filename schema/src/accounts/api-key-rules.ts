// What the keys of programs may be; without validation, so that pages can show it.

/** Tells a key of this server from other credentials. */
export const API_KEY_PREFIX = 'pk_';
/** Keys of one person that are in use. */
export const API_KEYS_MAX = 20;
export const API_KEY_NAME_MAX = 100;
/** How long a key lives unless its owner says otherwise. */
export const API_KEY_DAYS = 90;
/** Credits: a million dollars. */
export const API_KEY_CREDITS_MAX = 1_000_000_000_000;
export const API_KEY_ENDPOINTS_MAX = 100;

/**
 * What a key may be used for: answers, vectors of texts and the list of models by `/v1`; conversations and asks, and
 * files, by `/api`.
 */
export const API_SCOPES = ['chat', 'embeddings', 'models', 'rest', 'files'] as const;
export type ApiScope = (typeof API_SCOPES)[number];

/** A key as its owner sees it, without its value. */
export interface ApiKeyInfo {
  id: string;
  name: string;
  /** Its first characters. */
  shown: string;
  scopes: ApiScope[];
  /** Null: all endpoints of its owner. */
  endpoints: string[] | null;
  /** Null: as much as its owner. */
  monthlyCredits: number | null;
  /** In this month. */
  spentCredits: number;
  expiresAt: string | null;
  lastUsedAt: string | null;
  createdAt: string;
}

/** Whether a token is meant to be a key, right or wrong. */
export function isApiKey(token: string): boolean {
  return token.startsWith(API_KEY_PREFIX);
}
