// The prompts that are being written, by their ids. They stay when their page is left and when it reloads.
import { isObject } from '@parley/schema/json';
import type { Prompt } from '@parley/schema/prompts/prompt-rules';
import { newId } from '../lib/new-id.ts';
import { draftsAtom } from '../lib/personal-data.ts';

export interface PromptDraft {
  id: string;
  title: string;
  /** Null: it follows the title. */
  command: string | null;
  body: string;
  /** As typed, with commas between them. */
  tags: string;
  presetId: string | null;
  tools: string[];
  /** The version that it began with; null for a new one, also for a copy of another's. */
  version: number | null;
}

export type PromptDrafts = Readonly<Record<string, PromptDraft>>;

export const promptDraftsAtom = draftsAtom('promptDrafts', parseDraft);

/** That of another becomes a new prompt of the person. */
export function draftOf(prompt: Prompt | null): PromptDraft {
  if (!prompt) {
    const nothing = { title: '', command: null, body: '', tags: '', presetId: null, tools: [] };
    return { id: newId(), ...nothing, version: null };
  }
  const isOwn = prompt.ownerName === null;
  const { title, command, body, tags, tools } = prompt;
  const presetId = isOwn ? prompt.presetId : null;
  const identity = isOwn ? { id: prompt.id, version: prompt.version } : { id: newId(), version: null };
  return { ...identity, title, command, body, tags: tags.join(', '), presetId, tools };
}

function parseDraft(stored: unknown): PromptDraft | undefined {
  if (!isObject(stored)) return undefined;
  const { id, title, command, body, tags, presetId, tools, version } = stored;
  if (typeof id !== 'string' || typeof title !== 'string' || typeof body !== 'string' || typeof tags !== 'string')
    return undefined;
  return {
    id,
    title,
    body,
    tags,
    command: typeof command === 'string' ? command : null,
    presetId: typeof presetId === 'string' ? presetId : null,
    tools: Array.isArray(tools) ? tools.filter((key) => typeof key === 'string') : [],
    version: typeof version === 'number' ? version : null,
  };
}
