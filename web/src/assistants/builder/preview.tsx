import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { AssistantAvatar } from '../../endpoints/assistants/assistant-avatar.tsx';
import { BusyButton } from '../../ui/busy-button.tsx';
import { useTryChat } from '../use-start-chat.ts';
import { pendingPhotoAtom } from './builder-state.ts';
import classes from './preview.module.css';
import type { Builder } from './use-builder.ts';
import { useObjectUrl } from './use-object-url.ts';
import { useSaveAssistant } from './use-save-assistant.ts';
import { InOrder } from '../../ui/primitives/in-order.tsx';

/** What an empty chat with the assistant shows, as it is edited, and the way to such a chat, which is in no list. */
export function Preview({ builder }: { builder: Builder }) {
  const { t } = useTranslation();
  const tryChat = useTryChat();
  const { saved, form, isDirty } = builder;
  const { save, isBusy } = useSaveAssistant(builder);
  const photo = useObjectUrl(useAtomValue(pendingPhotoAtom));
  const starters = form.starters.filter((text) => text.trim() !== '');

  async function start(): Promise<void> {
    if (saved && (!isDirty || (await save()))) tryChat(saved);
  }

  return (
    <aside className={classes.preview} aria-label={t('com_assistants_preview')}>
      <h2 className={classes.heading}>{t('com_assistants_preview')}</h2>
      <div className={classes.face}>
        {!saved && photo ? (
          <img className={classes.photo} src={photo} alt="" />
        ) : (
          <AssistantAvatar assistant={saved} size="large" />
        )}
        <p className={classes.name} dir="auto">
          {form.name.trim() || t('com_assistants_unnamed')}
        </p>
        {form.description.trim() !== '' && (
          <p className={classes.about} dir="auto">
            {form.description}
          </p>
        )}
        {starters.length > 0 && (
          <ul className={classes.starters}>
            <InOrder items={starters}>{(text) => <li dir="auto">{text}</li>}</InOrder>
          </ul>
        )}
      </div>
      {saved ? (
        <BusyButton isBusy={isBusy} onClick={() => void start()}>
          {isDirty ? t('com_assistants_save_and_try') : t('com_assistants_try')}
        </BusyButton>
      ) : (
        <p className={classes.about}>{t('com_assistants_try_later')}</p>
      )}
    </aside>
  );
}
