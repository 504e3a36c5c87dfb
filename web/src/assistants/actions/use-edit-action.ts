import type { Assistant } from '@parley/schema/assistants/assistants';
import { useSetAtom } from 'jotai';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { editedActionAtom } from '../builder/builder-state.ts';

/** Opens the editor of an action, null for a new one. An assistant that is not saved yet cannot have any. */
export function useEditAction(assistant: Assistant | null) {
  const { t } = useTranslation();
  const setEdited = useSetAtom(editedActionAtom);
  const [isWarned, setWarned] = useState(false);

  function edit(actionId: string | null): void {
    if (assistant) setEdited({ assistantId: assistant.assistantId, actionId });
    else setWarned(true);
  }

  return { edit, warning: isWarned && !assistant ? t('com_assistants_unsaved_api') : null };
}
