import { useAtomValue } from 'jotai';
import { DraftOffer } from '../drafts/draft-offer.tsx';
import { pendingSwitchAtom } from '../switch-model/pending-switch.ts';
import { SwitchQuestion } from '../switch-model/switch-question.tsx';
import type { Chat } from '../use-chat.ts';

export interface ComposerPromptsProps {
  chat: Chat;
  draftKey: string;
  hasOffer: boolean;
  onDone: () => void;
}

/** A question about the model or a text that was replaced. */
export function ComposerPrompts({ chat, draftKey, hasOffer, onDone }: ComposerPromptsProps) {
  const isSwitching = useAtomValue(pendingSwitchAtom) !== null;
  return (
    <>
      {isSwitching && <SwitchQuestion chat={chat} />}
      {hasOffer && <DraftOffer draftKey={draftKey} onDone={onDone} />}
    </>
  );
}
