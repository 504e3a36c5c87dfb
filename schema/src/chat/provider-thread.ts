// Thread data of providers that keep conversations themselves. Types only.

/** The ids by which such a provider continues a conversation. Only that provider can read them. */
export type ThreadIds = Record<string, string | number>;

/** The thread data of one reply. */
export interface ProviderThread {
  ids: ThreadIds;
  /** Questions that the provider suggests next. */
  suggestions?: string[];
}
