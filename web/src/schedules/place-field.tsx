import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFolders } from '../folders/use-folders.ts';
import { SelectField } from '../ui/fields/select-field.tsx';

export interface Place {
  folderId: string | null;
  convoId: string | null;
}

/** Where the answers are: a folder for new chats, or the chat that goes on. */
export function PlaceField({ folderId, convoId, onChange }: Place & { onChange: (place: Place) => void }) {
  const { t } = useTranslation();
  const [first] = useState(convoId);
  const folders = useFolders();
  const places = [
    { value: '', label: t('com_schedules_no_folder') },
    ...folders.map(({ id, name }) => ({ value: id, label: name })),
    ...(first === null ? [] : [{ value: first, label: t('com_schedules_same_chat') }]),
  ];
  if (places.length === 1) return null;
  const isKnown = folderId === null || folders.some(({ id }) => id === folderId);
  return (
    <SelectField
      label={t('com_schedules_folder')}
      value={convoId ?? (isKnown ? (folderId ?? '') : '')}
      options={places}
      onChange={(picked) => {
        if (picked === first) onChange({ folderId, convoId: picked });
        else onChange({ folderId: picked === '' ? null : picked, convoId: null });
      }}
    />
  );
}
