import { useAtom } from 'jotai';
import { useEffect, useEffectEvent } from 'react';
import type { Chat } from '../chat/use-chat.ts';
import { openArtifactAtom, type OpenArtifact } from '../content/artifacts/artifact-place.ts';
import { ArtifactPane } from './artifact-pane.tsx';
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
  const { answers, isWhole } = useBranchAnswers(chat, open.messageId);
  return <ArtifactPane open={open} answers={answers} isWhole={isWhole} />;
}
