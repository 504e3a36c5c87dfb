// What the tools of the memory do in one reply: they save and delete where all that the reply was shown is the person's
// own and memory is on, and propose otherwise. The statement that writes asks the database for the mode again.
import type { Db } from '@parley/db/client';
import type { MemoryOutput } from '@parley/schema/messages/messages';
import { MemoryText } from '@parley/schema/tools/memories';
import { findByStart, readMode, removeByModel, saveByModel } from '../../memory/memories.ts';
import { SHOWN_ID_LENGTH } from '../../memory/recall.ts';
import { derivedId } from '../../platform/derived-id.ts';
import { Refusal } from '../../platform/errors.ts';
import { reasonText } from '../../platform/reasons.ts';
import type { MemoryAccess, ToolOutcome } from '../../tools/tool.ts';
import type { Ask } from '../begin/ask.ts';
import type { AskMemory } from '../context/ask-memory.ts';
import type { Prompt } from './build-prompt.ts';
import { createForeignShown, type ForeignShown } from './foreign-shown.ts';

interface Remembering {
  ask: Pick<Ask, 'userId' | 'input'>;
  memory: Pick<AskMemory, 'scope' | 'scopes'>;
  foreign: Pick<ForeignShown, 'list'>;
}

const OFF: ToolOutcome = { type: 'failed', text: 'Memory is off: nothing was kept.' };
const ID = /^[0-9a-f-]{8,36}$/;

export type { ForeignShown } from './foreign-shown.ts';

/** Null where nothing may be remembered. */
export function openMemory(
  db: Db,
  ask: Ask,
  { memory, branch, files }: Pick<Prompt, 'memory' | 'branch' | 'files'>,
): { access: MemoryAccess; foreign: ForeignShown } | null {
  if (!memory || memory.toolKeys.length === 0) return null;
  const foreign = createForeignShown(db.query, { ask, branch, files, memory });
  return { access: createMemoryAccess(db, { ask, memory, foreign }), foreign };
}

function createMemoryAccess(db: Db, { ask, memory, foreign }: Remembering): MemoryAccess {
  const { userId, input } = ask;
  const { scope, scopes } = memory;
  return { remember, forget };

  async function remember(given: string, callId: string): Promise<ToolOutcome> {
    const { data: text, error } = MemoryText.safeParse(given);
    if (text === undefined) return { type: 'failed', text: `${error?.issues[0]?.message ?? 'It cannot be kept'}.` };
    const entry = { id: derivedId('remembered', input.generationId, callId), text, scope };
    const shown = await foreign.list();
    try {
      const from = { convoId: input.conversationId, messageId: input.replyId };
      const saved = shown.length > 0 ? null : await saveByModel(db, userId, { ...entry, ...from });
      if (saved) return told({ ...entry, id: saved.id, state: 'saved', shown: [] });
    } catch (fault) {
      if (fault instanceof Refusal) return { type: 'failed', text: reasonText(fault.reason) };
      throw fault;
    }
    return propose({ ...entry, state: 'proposed', shown });
  }

  async function forget(start: string): Promise<ToolOutcome> {
    const row = ID.test(start) ? await findByStart(db, userId, start, scopes) : null;
    if (!row) return { type: 'failed', text: 'Nothing with this id is remembered.' };
    const shown = await foreign.list();
    const entry = { id: row.id, text: row.text, scope: row.scope };
    const isForgotten = shown.length === 0 && (await removeByModel(db, userId, row.id));
    if (isForgotten) return told({ ...entry, state: 'forgotten', shown: [] });
    return propose({ ...entry, state: 'to_forget', shown });
  }

  /** Not where memory was turned off meanwhile. */
  async function propose(wanted: Omit<MemoryOutput, 'type'>): Promise<ToolOutcome> {
    return (await readMode(db, userId)) === 'off' ? OFF : told(wanted);
  }
}

const SENTENCES: Readonly<Record<MemoryOutput['state'], string>> = {
  saved: 'It is kept.',
  forgotten: 'It is forgotten.',
  proposed: 'The person was asked whether to keep it, and decides by a button: it is not kept yet.',
  to_forget: 'The person was asked whether to forget it, and decides by a button: it is not forgotten yet.',
};

function told(output: Omit<MemoryOutput, 'type'>): ToolOutcome {
  const { id, state } = output;
  const text = state === 'saved' ? `${SENTENCES.saved} [${id.slice(0, SHOWN_ID_LENGTH)}]` : SENTENCES[state];
  return { type: 'done', text, outputs: [{ type: 'memory', ...output }] };
}
