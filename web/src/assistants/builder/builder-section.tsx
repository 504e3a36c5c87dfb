import '../../locales/load/assistants.ts';
import '../../locales/load/files.ts';
import { IconChevronDown, IconRobot } from '@tabler/icons-react';
import { useAtom, useAtomValue } from 'jotai';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Chat } from '../../chat/use-chat.ts';
import { activeEntryAtom, ASSISTANTS } from '../../side-panel/panel-state.ts';
import panel from '../../side-panel/side-panel.module.css';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { ActionEditor } from '../actions/action-editor.tsx';
import { useHasBuilder } from '../../side-panel/use-has-builder.ts';
import { BuilderFields } from './builder-fields.tsx';
import { editedActionAtom } from './builder-state.ts';
import { useBuilder } from './use-builder.ts';

/** The section of the side panel that builds assistants; absent where the operator has closed it. */
export function BuilderSection({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const id = useId();
  const [active, setActive] = useAtom(activeEntryAtom);
  const isUnfolded = active === ASSISTANTS;
  if (!useHasBuilder(chat)) return null;
  return (
    <section aria-label={t('com_assistants_builder')}>
      <button
        type="button"
        className={panel.entry}
        aria-expanded={isUnfolded}
        aria-controls={isUnfolded ? id : undefined}
        onClick={() => setActive(isUnfolded ? '' : ASSISTANTS)}
      >
        <IconRobot aria-hidden />
        {t('com_assistants_builder')}
        <IconChevronDown className={panel.chevron} aria-hidden />
      </button>
      {isUnfolded && (
        <div id={id} className={panel.unfolded}>
          {chat.assistantState.status === 'loading' ? <SkeletonRows count={5} /> : <Panel chat={chat} />}
        </div>
      )}
    </section>
  );
}

/** The assistant, or one of its actions in its place. */
function Panel({ chat }: { chat: Chat }) {
  const builder = useBuilder(chat);
  const edited = useAtomValue(editedActionAtom);
  const { saved } = builder;
  return saved && edited?.assistantId === saved.assistantId ? (
    <ActionEditor key={edited.actionId} assistant={saved} actionId={edited.actionId} />
  ) : (
    <BuilderFields key={saved?.assistantId} builder={builder} />
  );
}
