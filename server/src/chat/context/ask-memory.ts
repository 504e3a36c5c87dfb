// What of the person's memory an answer gets: where it may have any, it is read beside the files of the branch.
import type { Db } from '@parley/db/client';
import { endpointTable, takesTools } from '@parley/schema/catalog/endpoints';
import type { Settings } from '@parley/schema/catalog/params';
import type { Convo } from '@parley/schema/convos/convos';
import { messageText, type Message } from '@parley/schema/messages/messages';
import { FORGET, REMEMBER } from '@parley/schema/tools/memory-rules';
import type { MemoryScope } from '@parley/schema/settings/memory-mode';
import type { Asker } from '../../convos/changes.ts';
import { readMode } from '../../memory/memories.ts';
import { recall, type Recalled } from '../../memory/recall.ts';
import type { Ask } from '../begin/ask.ts';
import { spokenType, type ContextLimits } from './context-limits.ts';

export interface AskMemory extends Pick<Recalled, 'text' | 'ids' | 'origin'> {
  /** Where what is remembered in this chat belongs, and all that its answers may be shown. */
  scope: MemoryScope;
  scopes: readonly MemoryScope[];
  /** The keys of its tools; none where the model takes none. */
  toolKeys: readonly string[];
  /** Whether memory is still on. Asked before each call of the model: off is off at once. */
  isOn(): Promise<boolean>;
}

/** With the settings of the ask. */
type ChatFacts = Pick<Convo, 'conversationId' | 'folderId' | 'settings' | 'temporaryUntil'>;

/** So long what was read is as good as new for the first call, in milliseconds. */
const FRESH_MS = 300;

/** Null where nothing is remembered, which costs nothing; also in a copy of a link. */
export async function readMemory(
  db: Pick<Db, 'query'>,
  ask: Pick<Ask, 'userId' | 'endpoint' | 'model' | 'assistant'>,
  { convo, last }: { convo: ChatFacts; last: Pick<Message, 'parts'> },
  { memory }: Asker,
): Promise<AskMemory | null> {
  const { userId, assistant } = ask;
  if (!memory || memory.mode === 'off' || !isUsed(ask, convo)) return null;
  const endpoints = [ask.endpoint.name, ...(assistant ? [assistant.answeredBy] : [])];
  if (endpoints.some((name) => memory.exceptEndpoints.includes(name))) return null;
  const scope = scopeOf(convo, assistant);
  // Others' assistants learn it only where their owners have asked to know who asks.
  const scopes: MemoryScope[] =
    assistant?.knowsAsker === false ? [] : [...new Set<MemoryScope>(['', ...scopesOf(convo, assistant)])];
  const question = messageText(last);
  const found = await recall(db, { userId, convoId: convo.conversationId, scopes, question });
  if (found.mode === 'off' || found.origin === 'share') return null;
  const { text, ids, origin } = found;
  const toolKeys = takesTools(spokenType(ask.endpoint), ask.model) ? [REMEMBER, FORGET] : [];
  return { text, ids, origin, scope, scopes, toolKeys, isOn: createModeCheck(db, userId) };
}

/** The instructions with what is remembered behind them. */
export function withMemory(limits: ContextLimits, memory: AskMemory | null): ContextLimits {
  return memory ? { ...limits, instructions: behind(limits.instructions, memory.text) } : limits;
}

export function settingsWithMemory(settings: Settings, memory: AskMemory | null): Settings {
  if (!memory || memory.text === '') return settings;
  const { promptPrefix } = settings;
  return { ...settings, promptPrefix: behind(typeof promptPrefix === 'string' ? promptPrefix : '', memory.text) };
}

function behind(instructions: string, text: string): string {
  return [instructions, text].filter((one) => one.trim() !== '').join('\n\n');
}

/** Not in temporary chats, where it is switched off, and where no instructions reach the model. */
function isUsed({ endpoint }: Pick<Ask, 'endpoint'>, { settings, temporaryUntil }: ChatFacts): boolean {
  const takesInstructions = Object.hasOwn(endpointTable[endpoint.type].params, 'promptPrefix');
  return temporaryUntil === undefined && settings.memory !== false && takesInstructions;
}

function scopesOf({ folderId }: Pick<Convo, 'folderId'>, assistant: Ask['assistant']): MemoryScope[] {
  return [
    ...(folderId === null ? [] : ([`folder:${folderId}`] as const)),
    ...(assistant ? ([`assistant:${assistant.id}`] as const) : []),
  ];
}

/** What is remembered in a folder stays there, and so does what an assistant remembers. */
function scopeOf(convo: Pick<Convo, 'folderId'>, assistant: Ask['assistant']): MemoryScope {
  return scopesOf(convo, assistant)[0] ?? '';
}

/** The first call of the model usually follows at once. */
function createModeCheck(db: Pick<Db, 'query'>, userId: string): () => Promise<boolean> {
  let freshUntil = performance.now() + FRESH_MS;
  let isOn = true;
  return async () => {
    if (!isOn || performance.now() < freshUntil) {
      freshUntil = 0;
      return isOn;
    }
    isOn = (await readMode(db, userId)) !== 'off';
    return isOn;
  };
}
