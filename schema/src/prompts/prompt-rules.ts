// Prompts: texts that a person saves under a command and inserts into the message box with `/`. Without zod, for the page.

/** A prompt without its text, as lists show it. */
export interface PromptHead {
  ownerId: string;
  id: string;
  /** What follows the slash. */
  command: string;
  title: string;
  tags: string[];
  /** Whether everybody on this server can use it. */
  isShared: boolean;
  /** Its owner's name; null for the person's own. */
  ownerName: string | null;
  isFavorite: boolean;
  /** How often this person inserted it. */
  uses: number;
  updatedAt: string;
}

export interface Prompt extends PromptHead {
  body: string;
  /** A preset of its owner, and the keys of tools, that are proposed where the text is inserted. Each may be gone. */
  presetId: string | null;
  tools: string[];
  /** Counts the saves of title and text. */
  version: number;
}

/** An earlier or the present text of a prompt. */
export interface PromptVersion {
  n: number;
  title: string;
  body: string;
  createdAt: string;
}

export const PROMPTS_MAX = 1000;
/** The newest are kept. */
export const PROMPT_VERSIONS_MAX = 50;
/** Characters. */
export const PROMPT_BODY_MAX = 32_000;
export const PROMPT_TITLE_MAX = 120;
export const PROMPT_COMMAND_MAX = 64;
export const PROMPT_TAGS_MAX = 20;
/** Characters of one. */
export const PROMPT_TAG_MAX = 40;
/** What a command looks like; its length is limited beside. */
export const COMMAND = /^[a-z0-9][a-z0-9-]*$/;

/** Sentences of the form, by field. */
export const promptSentences = {
  command: 'A command has small letters, digits and hyphens, and begins with a letter or a digit',
  title: 'A title is required',
  body: 'A text is required',
} as const;

/** A command made of a title: `Weekly report!` is `weekly-report`. */
export function commandFrom(title: string): string {
  const letters = title.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '');
  const words = letters.split(/[^a-z0-9]/).filter((word) => word !== '');
  return words.join('-').slice(0, PROMPT_COMMAND_MAX).replace(/-$/, '') || 'prompt';
}

/** The tags of a text with commas between them. */
export function splitTags(typed: string): string[] {
  const named = typed.split(',').map((tag) => tag.trim().slice(0, PROMPT_TAG_MAX).trim());
  return [...new Set(named)].filter(Boolean).slice(0, PROMPT_TAGS_MAX);
}
