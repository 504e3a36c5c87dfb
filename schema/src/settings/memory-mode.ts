// Whether chats remember, as the account keeps it.
export const MEMORY_MODES = ['off', 'ask', 'on'] as const;
/** `ask`: whatever a model wants to remember is proposed. */
export type MemoryMode = (typeof MEMORY_MODES)[number];

export interface MemorySettings {
  mode: MemoryMode;
  /** Names of endpoints that are shown none, and may remember nothing. They are kept while it is off. */
  exceptEndpoints: string[];
  /** Ids of the latest entries that models proposed and the person does not want. */
  declined?: string[];
}

/** How many declined proposals are kept. */
export const DECLINED_MAX = 200;

/** Where an entry is shown: in all chats, in those of a folder, or in those that an assistant answers. */
export type MemoryScope = '' | `folder:${string}` | `assistant:${string}`;
