import { Menu } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  IconBrain,
  IconCheck,
  IconCamera,
  IconFiles,
  IconMessages,
  IconPaperclip,
  IconPlus,
} from '@tabler/icons-react';
import { useEffect, useRef, useState, type ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointLabel } from '../../catalog/choose-model.ts';
import { effortName } from '../../params/effort.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { focusFirst } from '../../ui/menu/focus-on-open.ts';
import { MenuRow } from '../../ui/menu/menu-row.tsx';
import { useMenu } from '../../ui/menu/use-menu.ts';
import { useAttach } from '../attachments/use-attach.ts';
import { EffortRows } from '../toggles/effort-rows.tsx';
import { useEffort } from '../toggles/use-effort.ts';
import { useFolded } from '../toggles/use-folded.ts';
import { useWebSearch } from '../toggles/use-web-search.ts';
import type { Chat } from '../use-chat.ts';
import type { AddPart } from './add-button.tsx';
import classes from './add-button.module.css';
import { MoreRows } from './more-rows.tsx';
import { OffRow } from './off-row.tsx';
import { ToolsRow } from './tools-row.tsx';

/** With a camera at hand. */
const PHONE = '(pointer: coarse) and (max-width: 768px)';

interface AddMenuProps {
  chat: Chat;
  buttonProps: Omit<ComponentProps<typeof IconButton>, 'children'>;
  onFiles: () => void;
  onCamera: () => void;
  onOpen: (part: AddPart) => void;
}

/** What can go along with a question, mounted open. In a narrow window it has what stands beside it in others. */
export function AddMenu({ chat, buttonProps, ...acts }: AddMenuProps) {
  const { button, menu, dropdown, isOpen } = useMenu();
  const [hasEfforts, setEfforts] = useState(false);
  const isFolded = useFolded();
  const effort = useEffort(chat);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (hasEfforts && list.current) focusFirst(list.current);
  }, [hasEfforts]);
  return (
    <Menu
      {...menu}
      onChange={(willOpen) => {
        menu.onChange(willOpen);
        setEfforts(false);
      }}
      position="top-start"
      width={260}
    >
      <Menu.Target>
        <IconButton {...buttonProps} ref={button} aria-expanded={isOpen}>
          <IconPlus aria-hidden />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown {...dropdown}>
        <div ref={list}>
          {hasEfforts && effort ? (
            <EffortRows effort={effort} />
          ) : (
            <>
              <FileRows chat={chat} {...acts} />
              <ToolsRow chat={chat} onOpen={acts.onOpen} />
              <MoreRows chat={chat} />
              {isFolded && <FoldedRows chat={chat} onEffort={() => setEfforts(true)} />}
            </>
          )}
        </div>
      </Menu.Dropdown>
    </Menu>
  );
}

function FileRows({ chat, onFiles, onCamera, onOpen }: Omit<AddMenuProps, 'buttonProps'>) {
  const { t } = useTranslation();
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false });
  const { isOffered } = useAttach(chat);
  const { modelTarget } = chat;
  // What is chosen before the model is known is attached once it is.
  if (!isOffered && modelTarget !== undefined) {
    const why = modelTarget && t('com_files_not_here', { 0: endpointLabel(modelTarget.endpoint) });
    return <OffRow icon={<IconPaperclip aria-hidden />} label={t('com_files_attach')} why={why} />;
  }
  return (
    <>
      <MenuRow icon={IconPaperclip} onClick={onFiles}>
        {t('com_files_attach')}
      </MenuRow>
      {isPhone && (
        <MenuRow icon={IconCamera} onClick={onCamera}>
          {t('com_files_camera')}
        </MenuRow>
      )}
      <MenuRow icon={IconFiles} onClick={() => onOpen('files')}>
        {t('com_composer_from_files')}
      </MenuRow>
      <MenuRow icon={IconMessages} onClick={() => onOpen('chats')}>
        {t('com_composer_from_chat')}
      </MenuRow>
    </>
  );
}

function FoldedRows({ chat, onEffort }: { chat: Chat; onEffort: () => void }) {
  const { t, i18n } = useTranslation();
  const effort = useEffort(chat);
  const web = useWebSearch(chat);
  return (
    <>
      {web && (
        <Menu.CheckboxItem
          classNames={{ itemIndicator: classes.check }}
          checked={web.isOn}
          onChange={web.toggle}
          checkIcon={<IconCheck aria-hidden />}
          closeMenuOnClick
        >
          {t('com_composer_web')}
        </Menu.CheckboxItem>
      )}
      {effort && (
        <Menu.Item leftSection={<IconBrain aria-hidden />} closeMenuOnClick={false} onClick={onEffort}>
          {t('com_composer_effort_is', { 0: effortName(effort.chosen, t, i18n.language) })}
        </Menu.Item>
      )}
    </>
  );
}
