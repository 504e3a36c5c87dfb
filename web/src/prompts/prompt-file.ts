// Files of prompts: our own, and those of other programs.
import { isObject } from '@parley/schema/json';
import { CHOSEN_TOOLS_MAX, TOOL_KEY_MAX } from '@parley/schema/catalog/params';
import { cleanJson } from '@parley/schema/clean-text';
import {
  COMMAND,
  commandFrom,
  PROMPT_BODY_MAX,
  PROMPT_COMMAND_MAX,
  PROMPT_TITLE_MAX,
  PROMPTS_MAX,
  splitTags,
  type Prompt,
} from '@parley/schema/prompts/prompt-rules';
import type { PromptFile } from '@parley/schema/prompts/prompts';
import { belongings } from '@parley/schema/transfer/register/belongings';
import { travellingAlone } from '@parley/schema/transfer/register/places';

/** What the server takes for an id. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** The content of a file that `readPromptFile` reads. */
export function promptFile(prompts: readonly Prompt[]): Blob {
  const names: readonly string[] = travellingAlone(belongings.prompts);
  const kept = prompts.map((prompt) =>
    Object.fromEntries(
      Object.entries(prompt).filter(
        ([name, value]) => names.includes(name) && value !== null && (name !== 'tools' || prompt.tools.length > 0),
      ),
    ),
  );
  return new Blob([JSON.stringify({ prompts: kept }, null, 2)], { type: 'application/json' });
}

export interface ReadPrompts extends PromptFile {
  /** Those that are none, by their titles or their places in the file. */
  refused: string[];
}

/**
 * Also a list of `{ command, title | name, content | prompt }`, as other programs export it, and LibreChat's groups. What is
 * no prompt is left out and named. @throws what is no such file
 */
export async function readPromptFile(file: Blob): Promise<ReadPrompts> {
  const listed = listedIn(cleanJson(JSON.parse(await file.text())));
  if (!listed || listed.length === 0) throw new Error('There are no prompts');
  const read = listed.map((given) => ({ given, prompt: readPrompt(given) }));
  const prompts = read.flatMap(({ prompt }) => prompt ?? []);
  if (prompts.length > PROMPTS_MAX) throw new Error('There are too many prompts');
  const refused = read.flatMap(({ given, prompt }, place) => (prompt ? [] : [titleOf(given) || `#${place + 1}`]));
  return { prompts, refused };
}

function listedIn(content: unknown): unknown[] | null {
  if (Array.isArray(content)) return content;
  if (!isObject(content)) return null;
  if (Array.isArray(content.promptGroups)) return content.promptGroups.map((group) => promptOfGroup(group, content));
  const listed = content.prompts ?? content.data;
  return Array.isArray(listed) ? listed : null;
}

/** A group of LibreChat has versions of one prompt, of which one is in use. They stand in it or beside the groups. */
function promptOfGroup(group: unknown, beside: Record<string, unknown>): unknown {
  if (!isObject(group)) return group;
  const { name, command, category, productionPrompt } = group;
  const isOfGroup = (one: Record<string, unknown>) => idOf(one.groupId) === idOf(group._id);
  const versions = [...recordsOf(group.prompts), ...recordsOf(beside.prompts).filter(isOfGroup)];
  const used = versions.find((one) => idOf(one._id) === idOf(group.productionId)) ?? versions.at(-1);
  const { prompt } = isObject(productionPrompt) ? productionPrompt : (used ?? {});
  return { title: name, command, prompt, tags: [category] };
}

/** Null for what is none: without a title or a text, or with a text that is too long. */
function readPrompt(given: unknown): PromptFile['prompts'][number] | null {
  if (!isObject(given)) return null;
  const body = textOf(given.body, given.content, given.prompt);
  const named = textOf(given.command, given.shortcut).trim().replace(/^\//, '').toLowerCase();
  const title = titleOf(given);
  if (body.trim() === '' || body.length > PROMPT_BODY_MAX || title === '') return null;
  const isCommand = named.length <= PROMPT_COMMAND_MAX && COMMAND.test(named);
  return {
    command: isCommand ? named : commandFrom(named || title),
    title,
    body,
    tags: splitTags(textsOf(given.tags).join(',')),
    presetId: typeof given.presetId === 'string' && UUID.test(given.presetId) ? given.presetId : null,
    tools: textsOf(given.tools)
      .filter((key) => key !== '' && key.length <= TOOL_KEY_MAX)
      .slice(0, CHOSEN_TOOLS_MAX),
  };
}

/** Empty for what has none. */
function titleOf(given: unknown): string {
  if (!isObject(given)) return '';
  const named = [given.title, given.name, given.command, given.shortcut].filter((one) => typeof one === 'string');
  const title = named.map((one) => one.trim()).find((one) => one !== '') ?? '';
  return title.slice(0, PROMPT_TITLE_MAX).trim();
}

function recordsOf(listed: unknown): Record<string, unknown>[] {
  return Array.isArray(listed) ? listed.filter(isObject) : [];
}

/** As LibreChat's API writes it, or MongoDB's export. */
function idOf(id: unknown): unknown {
  return isObject(id) ? id.$oid : id;
}

function textsOf(listed: unknown): string[] {
  return Array.isArray(listed) ? listed.filter((one) => typeof one === 'string') : [];
}

function textOf(...candidates: unknown[]): string {
  return candidates.find((one) => typeof one === 'string') ?? '';
}
