import './lazy-words.ts';
import { IconX } from '@tabler/icons-react';
import { useAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import classes from './draft-offer.module.css';
import { restored } from './local-draft.ts';
import { useRoom } from '../room-context.tsx';

interface DraftOfferProps {
  draftKey: string;
  onDone: () => void;
}

/** Offers back, once, a text that another browser of the person replaced. What it replaces now is offered in its turn. */
export function DraftOffer({ draftKey, onDone }: DraftOfferProps) {
  const { t } = useTranslation();
  const { drafts } = useRoom();
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
      <button type="button" className={classes.button} onClick={restore}>
        {t('com_ui_restore')}
      </button>
      <button type="button" className={classes.button} aria-label={t('com_ui_dismiss')} onClick={dismiss}>
        <IconX aria-hidden />
      </button>
    </div>
  );
}
