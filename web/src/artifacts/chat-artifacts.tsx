import { pathTo } from '@parley/schema/messages/tree';
import type { TFunction } from 'i18next';
import { useAtom, useStore, atom, useAtomValue } from 'jotai';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChatSession } from '../chat/chat-session-context.tsx';
import { withQuote } from '../chat/quote/quoted.ts';
import type { Chat } from '../chat/use-chat.ts';
import { openArtifactAtom, type OpenArtifact } from '../content/artifacts/artifact-place.ts';
import { focusComposer } from '../slots/focus-composer.ts';
import { draftKeyOf, useSlotIndex } from '../slots/slot.ts';
import { ArtifactPane } from './artifact-pane.tsx';
import { isForeign } from './run/can-run.ts';
import { useArtifactEdits } from './use-artifact-edits.ts';
import type { Message } from '@parley/schema/messages/messages';
import type { ThreadNode } from '@parley/schema/messages/thread';
import { exchangesAtom } from '../chat/exchanges/exchange.ts';
import { useThrottled } from '../content/use-throttled.ts';
import { api } from '../trpc.ts';

/** An artifact that is being written is drawn again so often, in milliseconds. */
const REDRAWN_MS = 500;

/** Answers that are read in one go, and at most. */
const BATCH = 30;

const READ_MAX = 300;

const NONE: ReadonlyMap<string, Message> = new Map();

/** The open artifact beside its chat. It closes when another conversation is opened. */
export function ChatArtifacts({ chat }: { chat: Chat }) {
  const [open, setOpen] = useAtom(openArtifactAtom);
  const { conversationId } = chat.slot;
  const isElsewhere = open !== null && open.scopeId !== conversationId;
  const close = useEffectEvent(() => setOpen(null));
  useEffect(() => {
    if (isElsewhere) close();
  }, [isElsewhere]);
  if (!open || isElsewhere) return null;
  return <OfChat chat={chat} open={open} />;
}

function OfChat({ chat, open }: { chat: Chat; open: OpenArtifact }) {
  const { tree, findMessage } = chat;
  const { answers, isWhole } = useBranchAnswers(chat, open.messageId);
  return (
    <ArtifactPane
      open={open}
      answers={answers}
      isWhole={isWhole}
      isForeign={(messageId) => isForeign(pathTo(tree, messageId).map((node) => findMessage(node.messageId)))}
      onAsk={useAsk(chat)}
      canKeep
      edits={useArtifactEdits(chat.slot.conversationId, answers)}
    />
  );
}

/** Puts a question about what is quoted into the message box, below what is typed there. */
function useAsk({ slot }: Chat) {
  const { t } = useTranslation();
  const store = useStore();
  const index = useSlotIndex();
  const { drafts } = useChatSession();
  return (question: (t: TFunction) => string, quoted: string): void => {
    const draft = drafts.draftAtom(draftKeyOf(slot));
    const before = store.get(draft);
    const start = quoted === '' ? (before.trim() === '' ? '' : `${before.trimEnd()}\n\n`) : withQuote(before, quoted);
    store.set(draft, `${start}${question(t)} `);
    focusComposer(index);
  };
}

/** The answers of the branch with this message, the one that is being written as far as it is. */
function useBranchAnswers(chat: Chat, messageId: string): { answers: readonly Message[]; isWhole: boolean } {
  const { path, tree, findMessage } = chat;
  const live = useThrottled(useLiveAnswer(chat), REDRAWN_MS);
  const nodes = useMemo(() => {
    const branch = path.some((node) => node.messageId === messageId) ? path : pathTo(tree, messageId);
    return branch.filter(({ isCreatedByUser }) => !isCreatedByUser);
  }, [path, tree, messageId]);
  const read = useUnloaded(chat, nodes);
  return useMemo(() => {
    const found = nodes.flatMap((node) => {
      const known = node.messageId === live?.messageId ? live : findMessage(node.messageId);
      return known ?? read.get(node.messageId) ?? [];
    });
    return { answers: found, isWhole: found.length === nodes.length };
  }, [nodes, live, findMessage, read]);
}

function useLiveAnswer({ generationId }: Chat): Message | null {
  const live = useMemo(
    () =>
      atom((get) => {
        const atoms = generationId === null ? undefined : get(exchangesAtom).get(generationId);
        return atoms ? get(atoms.reply) : null;
      }),
    [generationId],
  );
  return useAtomValue(live);
}

/** Reads the answers that no row near the view needs, the newest first. */
function useUnloaded(
  { slot: { conversationId }, findMessage }: Chat,
  nodes: readonly ThreadNode[],
): ReadonlyMap<string, Message> {
  const [read, setRead] = useState(NONE);
  const missing = nodes.filter(({ messageId }) => !findMessage(messageId) && !read.has(messageId));
  const wanted = read.size < READ_MAX ? missing.slice(-BATCH).map(({ messageId }) => messageId) : [];
  const key = wanted.join(' ');
  useEffect(() => {
    if (key === '') return;
    const ending = new AbortController();
    const { signal } = ending;
    // Without them the versions that are known are shown.
    void api.messages.bodies.query({ conversationId, messageIds: key.split(' ') }, { signal }).then(
      (bodies) =>
        bodies.length > 0 &&
        setRead((before) => new Map([...before, ...bodies.map((one) => [one.messageId, one] as const)])),
      () => undefined,
    );
    return () => ending.abort();
  }, [conversationId, key]);
  return read;
}
