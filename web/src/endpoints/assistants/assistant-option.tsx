import { Combobox } from '@mantine/core';
import type { Assistant } from '@parley/schema/assistants/assistants';
import { IconCheck, IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { NEW_ASSISTANT, type ModelRef } from '../../catalog/model-groups.ts';
import classes from '../endpoint-menu.module.css';
import { Star } from '../star.tsx';
import { AssistantAvatar } from './assistant-avatar.tsx';

interface AssistantOptionProps {
  value: string;
  option: ModelRef;
  /** Absent on the one that makes a new assistant. */
  assistant: Assistant | undefined;
  isCurrent: boolean;
  isFavourite: boolean;
  onStar: (option: ModelRef) => void;
}

/** An assistant in the list of models, by its name and image, or the way to a new one. */
export function AssistantOption({ value, option, assistant, isCurrent, isFavourite, onStar }: AssistantOptionProps) {
  const { t } = useTranslation();
  if (option.model === NEW_ASSISTANT) {
    return (
      <Combobox.Option value={value} className={classes.item}>
        <span className={classes.check} />
        <IconPlus className={classes.plus} aria-hidden />
        <span className={classes.name}>{t('com_assistants_new')}</span>
      </Combobox.Option>
    );
  }
  return (
    <Combobox.Option value={value} active={isCurrent} className={classes.item}>
      <span className={classes.check}>{isCurrent && <IconCheck aria-hidden />}</span>
      <AssistantAvatar assistant={assistant ?? null} size="small" />
      <span className={classes.name} dir="auto">
        {assistant?.name || t('com_assistants_unnamed')}
        {assistant?.sharedBy && ' '}
        {assistant?.sharedBy && <span className={classes.by}>{t('com_assistants_by', { 0: assistant.sharedBy })}</span>}
      </span>
      <Star isFavourite={isFavourite} onPress={() => onStar(option)} />
    </Combobox.Option>
  );
}
