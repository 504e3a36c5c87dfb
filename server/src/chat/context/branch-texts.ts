// What a branch says, for tools that look whether something comes from the person. It is read only when one looks, and
// only as far as it looks: the newest first, files last.
import type { Query } from '@parley/db/client';
import { files } from '@parley/db/tables/files';
import { isTextType } from '@parley/schema/files/file-types';
import { messageText, type FilePart, type Message } from '@parley/schema/messages/messages';
import { isOfOwnSkill } from '@parley/schema/skills/skill-rules';
import { and, eq, notInArray } from 'drizzle-orm';
import { isAmong } from '../../convos/rows.ts';
import type { BranchText } from '../../tools/tool.ts';
import type { FileReading } from './files/file-reading.ts';

export interface BranchSource {
  reading: Pick<FileReading, 'query' | 'userId' | 'textOf' | 'sectionsOf'>;
  /** Instructions that the person wrote. */
  instructions: readonly string[];
  /** What it has so far is a part of the branch. */
  reply: Pick<Message, 'parts'>;
  /** Walks the messages above the reply, the newest first. */
  above(): AsyncIterable<Pick<Message, 'parts' | 'isCreatedByUser'>>;
}

export async function* branchTexts({ reading, instructions, reply, above }: BranchSource): AsyncGenerator<BranchText> {
  for (const text of instructions) yield { from: 'person', text };
  yield* replyTexts(reply);
  const attached: FilePart[] = [];
  for await (const message of above()) {
    if (!message.isCreatedByUser) {
      yield* replyTexts(message);
      continue;
    }
    yield { from: 'person', text: messageText(message) };
    attached.push(...message.parts.filter((part): part is FilePart => part.type === 'file'));
  }
  for (const file of await withoutMade(reading, attached)) yield* fileTexts(reading, file);
}

/** What a reply has read of the person's own skills is their word. */
function* replyTexts({ parts }: Pick<Message, 'parts'>): Generator<BranchText> {
  for (const part of parts)
    if (part.type === 'tool_call' && isOfOwnSkill(part.call) && part.call.state === 'done')
      yield { from: 'person', text: part.call.output ?? '' };
  yield { from: 'reply', parts };
}

/** Files that a tool made are no words of the person, even where they are attached to a question. */
async function withoutMade(
  { query, userId }: { query: Query; userId: string },
  attached: readonly FilePart[],
): Promise<FilePart[]> {
  const ids = [...new Set(attached.map(({ fileId }) => fileId))];
  if (ids.length === 0) return [];
  const given = await query
    .select({ id: files.id })
    .from(files)
    .where(
      and(
        eq(files.userId, userId),
        isAmong(files.id, ids),
        notInArray(files.context, ['assistants_output', 'image_generation']),
      ),
    );
  return given.flatMap(({ id }) => attached.find(({ fileId }) => fileId === id) ?? []);
}

async function* fileTexts({ textOf: plainTextOf, sectionsOf }: BranchSource['reading'], file: FilePart) {
  const whole = isTextType(file.mime) ? await plainTextOf(file) : null;
  if (whole !== null) yield { from: 'file' as const, text: whole.text };
  else for (const { text } of await sectionsOf(file.fileId)) yield { from: 'file' as const, text };
}
