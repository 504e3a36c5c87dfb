import '../locales/load/assistants.ts';
import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Popover.css';
import { Combobox, useCombobox } from '@mantine/core';
import type { Assistant } from '@parley/schema/assistants/assistants';
import { IconCheck, IconChevronDown } from '@tabler/icons-react';
import { useSetAtom } from 'jotai';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Chat } from '../chat/use-chat.ts';
import picker from '../endpoints/endpoint-picker.module.css';
import { PickerField } from '../ui/menu/picker-field.tsx';
import { usePopoverButton } from '../ui/menu/use-popover-button.ts';
import { AssistantPicture } from '../endpoints/assistant-picture.tsx';
import popover from '../ui/menu/anchored-popover.module.css';
import pickerList from '../ui/menu/picker-list.module.css';
import classes from './assistant-picker.module.css';
import { useAssistants } from '../endpoints/use-assistants.ts';
import { isNewAtom } from './builder/builder-state.ts';
import { useChooseAssistant } from './use-choose-assistant.ts';

/** With more assistants than this, the list has a search field. */
const SEARCH_ABOVE = 10;

/** Shows the assistant of the chat; opens the list of them. */
export function AssistantPicker({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const { data } = useAssistants();
  const choose = useChooseAssistant(chat);
  const setNew = useSetAtom(isNewAtom);
  const { isOpen, button, close, leave, handlers } = usePopoverButton();
  const { assistantState: state } = chat;
  const chosen = state.status === 'chosen' ? state.assistant : null;
  return (
    <div className={picker.anchor}>
      <button
        ref={button}
        type="button"
        className={`${picker.button} ${classes.button}`}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        data-tooltip={t('com_assistants_choose')}
        data-testid="assistant-picker"
        {...handlers}
      >
        <AssistantPicture assistant={chosen} size="small" />
        <span className={picker.model} dir="auto">
          {chosen ? chosen.name || t('com_assistants_unnamed') : t('com_assistants_choose')}
        </span>
        <IconChevronDown aria-hidden />
      </button>
      {isOpen && (
        <AssistantMenu
          all={data ?? []}
          chosenId={chosen?.assistantId}
          onClose={close}
          onLeave={leave}
          onPick={(assistant) => {
            close();
            choose(assistant);
            setNew(false);
          }}
        />
      )}
    </div>
  );
}

interface AssistantMenuProps {
  all: readonly Assistant[];
  chosenId: string | undefined;
  onPick: (assistant: Assistant) => void;
  onClose: () => void;
  onLeave: () => void;
}

function AssistantMenu({ all, chosenId, onPick, onClose, onLeave }: AssistantMenuProps) {
  const { t, i18n } = useTranslation();
  const listId = useId();
  const [text, setText] = useState('');
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose });
  const isLong = all.length > SEARCH_ABOVE;
  const wanted = text.trim().toLocaleLowerCase(i18n.language);
  const found = all.filter(({ name }) => (name ?? '').toLocaleLowerCase(i18n.language).includes(wanted));
  const { selectActiveOption, selectFirstOption } = combobox;
  useEffect(() => {
    if (wanted === '') selectActiveOption();
    else selectFirstOption();
  }, [wanted, selectActiveOption, selectFirstOption]);

  return (
    <Combobox
      store={combobox}
      position="bottom-start"
      width={300}
      withinPortal={false}
      onOptionSubmit={(id) => {
        const assistant = all.find(({ assistantId }) => assistantId === id);
        if (assistant) onPick(assistant);
      }}
    >
      <Combobox.DropdownTarget>
        <span className={popover.target} />
      </Combobox.DropdownTarget>
      <Combobox.Dropdown className={pickerList.dropdown}>
        <Combobox.EventsTarget>
          <PickerField
            listId={listId}
            isSeen={isLong}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            onBlur={onLeave}
            placeholder={isLong ? t('com_assistants_search') : t('com_assistants_choose')}
          />
        </Combobox.EventsTarget>
        <Combobox.Options id={listId} className={pickerList.options} aria-label={t('com_assistants_choose')}>
          {found.map((assistant) => (
            <Combobox.Option
              key={assistant.assistantId}
              value={assistant.assistantId}
              className={classes.option}
              active={assistant.assistantId === chosenId}
            >
              <AssistantPicture assistant={assistant} size="small" />
              <span className={classes.name} dir="auto">
                {assistant.name || t('com_assistants_unnamed')}
                {assistant.sharedBy && (
                  <span className={classes.owner}>{t('com_assistants_by', { 0: assistant.sharedBy })}</span>
                )}
              </span>
              {assistant.assistantId === chosenId && <IconCheck size={16} aria-hidden />}
            </Combobox.Option>
          ))}
          {found.length === 0 && (
            <Combobox.Empty className={classes.empty}>
              {all.length === 0 ? t('com_assistants_none') : t('com_assistants_none_found')}
            </Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
