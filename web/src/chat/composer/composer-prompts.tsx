import { useAtomValue, useAtom } from 'jotai';
import { pendingSwitchAtom } from '../switch-model/pending-switch.ts';
import { SwitchQuestion } from '../switch-model/switch-question.tsx';
import type { Chat } from '../use-chat.ts';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/icon-button.tsx';
import { Button } from '../../ui/button.tsx';
import classes from '../drafts/draft-offer.module.css';
import { restored } from '../drafts/local-draft.ts';
import { useChatSession } from '../chat-session-context.tsx';

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

/**
 * Offers to restore, once, a text that another browser of the user has overwritten. Restoring offers the replaced text
 * in turn.
 */
function DraftOffer({ draftKey, onDone }: { draftKey: string; onDone: () => void }) {
  const { t } = useTranslation();
  const { drafts } = useChatSession();
  const [draft, setDraft] = useAtom(drafts.local.entry(draftKey));
  if (!draft || draft.offered === null) return null;

  function restore(): void {
    if (draft) setDraft(restored(draft, Date.now()));
    onDone();
  }

  function dismiss(): void {
    if (draft) setDraft({ ...draft, offered: null });
    onDone();
  }

  return (
    <div className={classes.bar} role="status">
      <span className={classes.sentence}>
        {t('com_chat_draft_replaced')} <q className={classes.text}>{draft.offered}</q>
      </span>
      <Button variant="subtle" size="sm" onClick={restore}>
        {t('com_ui_restore')}
      </Button>
      <IconButton label={t('com_ui_dismiss')} onClick={dismiss}>
        <IconX aria-hidden />
      </IconButton>
    </div>
  );
}
