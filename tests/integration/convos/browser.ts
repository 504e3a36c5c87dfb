// A browser as far as following goes: it knows what the change feed sent, and reads a conversation's messages again
// only when their number has grown.
import type { Change, Convo } from '@parley/schema/convos/convos';
import type { Message } from '@parley/schema/messages/messages';
import { followChanges } from '@parley/server/feed/follow-changes';
import type { Person, TestServices } from '../../support/services.ts';

export interface Browser {
  /** The conversations it knows, by id. */
  convos(): Convo[];
  /** The messages it knows of each. */
  trees(): Record<string, Message[]>;
  /** The drafts with text by key. */
  drafts(): Record<string, string>;
  /** Its line is cut: it hears nothing until it comes back. */
  leave(): Promise<void>;
  /** Goes on after the last change it was sent. */
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

interface Known {
  seq: number;
  thread: Message[];
}

/** A browser that has followed from the first change on. */
export async function openBrowser(services: TestServices, { id, api }: Person): Promise<Browser> {
  const convos = new Map<string, Convo>();
  const known = new Map<string, Known>();
  const drafts = new Map<string, string>();
  let cursor = 0;
  let line: { cut: AbortController; read: Promise<void> } | null = null;
  const browser: Browser = {
    convos: () => [...convos.values()].toSorted((a, b) => a.conversationId.localeCompare(b.conversationId)),
    trees: () => Object.fromEntries([...convos.keys()].map((key) => [key, known.get(key)?.thread ?? []])),
    drafts: () => Object.fromEntries([...drafts].filter(([, text]) => text !== '')),
    leave,
    comeBack,
    close: leave,
  };
  await comeBack();
  return browser;

  async function leave(): Promise<void> {
    const leaving = line;
    line = null;
    leaving?.cut.abort();
    await leaving?.read;
  }

  async function comeBack(): Promise<void> {
    if (line) return;
    const cut = new AbortController();
    line = { cut, read: read(cut.signal) };
  }

  async function read(signal: AbortSignal): Promise<void> {
    for await (const change of followChanges(services.deps, id, cursor, signal)) {
      if (signal.aborted) return;
      await take(change);
      cursor = change.seq;
    }
  }

  async function take(change: Change): Promise<void> {
    switch (change.type) {
      case 'convo':
        convos.set(change.convo.conversationId, change.convo);
        return readMessages(change.convo);
      case 'removed':
        convos.delete(change.conversationId);
        return;
      case 'draft':
        drafts.set(change.draft.key, change.draft.text);
        return;
      case 'presets':
      case 'keys':
      case 'assistants':
      case 'settings':
      case 'folders':
      case 'queue':
      case 'schedules':
      case 'endpoints':
        return;
      case 'reset':
        throw new Error('Nothing was forgotten here');
      default:
        change satisfies never;
    }
  }

  /** What changes while it reads comes with a greater number, and is read again then. */
  async function readMessages({ conversationId, messagesSeq }: Convo): Promise<void> {
    if ((known.get(conversationId)?.seq ?? -1) >= messagesSeq) return;
    const thread = await api.messages.list({ conversationId }).catch(() => null);
    if (thread) known.set(conversationId, { seq: messagesSeq, thread });
  }
}
