// Files of prompts: our own, and those of other programs.
import { CHOSEN_TOOLS_MAX, TOOL_KEY_MAX } from '@parley/schema/catalog/params';
import {
  COMMAND,
  commandFrom,
  PROMPT_COMMAND_MAX,
  PROMPT_TITLE_MAX,
  PROMPTS_MAX,
  splitTags,
  type Prompt,
} from '@parley/schema/prompts/prompt-rules';
import type { PromptFile } from '@parley/schema/prompts/prompts';
import { belongings } from '@parley/schema/transfer/register/belongings';
import { travellingAlone } from '@parley/schema/transfer/register/places';
import { isRecord } from '../lib/is-record.ts';

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

/** Also a list of `{ command, title | name, content | prompt }`, as other programs export it. @throws what is no such file */
export async function readPromptFile(file: Blob): Promise<PromptFile> {
  const content: unknown = JSON.parse(await file.text());
  const listed = isRecord(content) ? (content.prompts ?? content.data) : content;
  if (!Array.isArray(listed)) throw new Error('There are no prompts');
  if (listed.length === 0 || listed.length > PROMPTS_MAX) throw new Error('There are no prompts, or too many');
  return { prompts: listed.map(readPrompt) };
}

function readPrompt(given: unknown): PromptFile['prompts'][number] {
  if (!isRecord(given)) throw new Error('This is no prompt');
  const body = textOf(given.body, given.content, given.prompt);
  const named = textOf(given.command, given.shortcut).replace(/^\//, '').toLowerCase();
  const title = textOf(given.title, given.name, named).trim().slice(0, PROMPT_TITLE_MAX);
  if (body.trim() === '' || title === '') throw new Error('A prompt has no text or no title');
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

function textsOf(listed: unknown): string[] {
  return Array.isArray(listed) ? listed.filter((one) => typeof one === 'string') : [];
}

function textOf(...candidates: unknown[]): string {
  return candidates.find((one) => typeof one === 'string') ?? '';
}
