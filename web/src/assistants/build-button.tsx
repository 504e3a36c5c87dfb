import '../locales/load/assistants.ts';
import { IconPlus } from '@tabler/icons-react';
import { useSetAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import type { Chat } from '../chat/use-chat.ts';
import { focusAfterRender, FOCUS } from '../side-panel/focus-after-render.ts';
import { activeEntryAtom, ASSISTANTS, useSidePanel } from '../side-panel/panel-state.ts';
import { Button } from '../ui/button.tsx';
import { isNewAtom } from './builder/builder-state.ts';
import { useHasBuilder } from '../side-panel/use-has-builder.ts';

/** Opens the builder with a new assistant; absent where the operator has closed it. */
export function BuildButton({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const setActive = useSetAtom(activeEntryAtom);
  const setNew = useSetAtom(isNewAtom);
  const { open } = useSidePanel();
  const hasBuilder = useHasBuilder(chat);
  if (!hasBuilder) return null;

  function build(): void {
    setNew(true);
    setActive(ASSISTANTS);
    open();
    focusAfterRender(FOCUS.open);
  }

  return (
    <Button onClick={build}>
      <IconPlus aria-hidden />
      {t('com_assistants_new')}
    </Button>
  );
}
