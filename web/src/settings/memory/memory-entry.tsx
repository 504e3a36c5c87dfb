import { MEMORY_TEXT_MAX, type Memory } from '@parley/schema/tools/memory-rules';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { useFolders } from '../../folders/use-folders.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { ButtonRow } from '../../ui/primitives/button-row.tsx';
import classes from './memory-settings.module.css';

const FOLDER = 'folder:';

/** A sentence that is remembered, where it comes from, and the buttons that change and delete it. */
export function MemoryEntry({ memory }: { memory: Memory }) {
  const { t, i18n } = useTranslation();
  const utils = trpc.useUtils();
  const onSuccess = () => utils.memories.list.invalidate();
  const save = trpc.memories.save.useMutation({ onSuccess });
  const remove = trpc.memories.remove.useMutation({ onSuccess });
  const [text, setText] = useState<string | null>(null);
  const { id, from } = memory;
  const error = save.error ?? remove.error;
  const keep = async () => {
    await save.mutateAsync({ id, text: text ?? memory.text, scope: memory.scope }).then(
      () => setText(null),
      () => undefined,
    );
  };
  return (
    <li className={classes.entry}>
      {text === null ? (
        <p dir="auto">{memory.text}</p>
      ) : (
        <TextField
          aria-label={t('com_memory_sentence')}
          maxLength={MEMORY_TEXT_MAX}
          dir="auto"
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      <p className={classes.facts}>
        {new Date(memory.updatedAt).toLocaleDateString(i18n.language)}
        {' · '}
        {memory.scope.startsWith(FOLDER) ? (
          <FolderName id={memory.scope.slice(FOLDER.length)} />
        ) : (
          t(memory.scope === '' ? 'com_memory_scope_all' : 'com_memory_scope_assistant')
        )}
        {from && (
          <>
            {' · '}
            <a href={`/c/${from.conversationId}`} dir="auto">
              {from.title ?? t('com_ui_new_chat')}
            </a>
          </>
        )}
      </p>
      {error && <p className={classes.failure}>{describeError(error, t)}</p>}
      <ButtonRow>
        {text === null ? (
          <Button size="sm" variant="subtle" onClick={() => setText(memory.text)}>
            {t('com_memory_edit')}
          </Button>
        ) : (
          <>
            <Button size="sm" onClick={() => void keep()} disabled={text.trim() === '' || save.isPending}>
              {t('com_ui_save')}
            </Button>
            <Button size="sm" variant="subtle" onClick={() => setText(null)}>
              {t('com_ui_cancel')}
            </Button>
          </>
        )}
        <Button size="sm" variant="danger" onClick={() => remove.mutate({ id })} disabled={remove.isPending}>
          {t('com_ui_delete')}
        </Button>
      </ButtonRow>
    </li>
  );
}

/** Where an entry is shown that belongs to a folder: its name, once it is known. */
function FolderName({ id }: { id: string }) {
  const { t } = useTranslation();
  const name = useFolders().find((one) => one.id === id)?.name;
  return name === undefined ? (
    t('com_memory_scope_folder')
  ) : (
    <a href={`/projects/${id}`} dir="auto">
      {name}
    </a>
  );
}
