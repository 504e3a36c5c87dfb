import { pathTo } from '@parley/schema/messages/tree';
import type { TFunction } from 'i18next';
import { useAtom, useStore } from 'jotai';
import { useEffect, useEffectEvent } from 'react';
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
import { useBranchAnswers } from './use-branch-answers.ts';

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
