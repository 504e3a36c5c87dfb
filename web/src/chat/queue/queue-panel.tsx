import type { QueuedAsk } from '@parley/schema/chat/queue';
import { IconArrowUp, IconAt, IconPaperclip, IconPencil, IconX } from '@tabler/icons-react';
import { useId, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../lib/format-number.ts';
import { focusComposer } from '../../slots/focus-composer.ts';
import { useSlotIndex } from '../../slots/slot.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import type { Chat } from '../use-chat.ts';
import classes from './queue-panel.module.css';
import { useQueue, type Queue } from './use-queue.ts';

/** The questions that wait for the end of the reply, above the message box. */
export function QueuePanel({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const titleId = useId();
  const queue = useQueue(chat);
  if (queue.items.length === 0) return null;
  return (
    <section className={classes.queue} aria-labelledby={titleId} data-testid="queue">
      <p className="hint" role="status">
        <span id={titleId} className={classes.title}>
          {t('com_queue_title')}
        </span>{' '}
        {queue.isHeld && chat.generationId === null ? t('com_queue_held') : t('com_queue_waits')}
      </p>
      <ol className={classes.list}>
        {queue.items.map((item) => (
          <Item key={item.id} item={item} queue={queue} />
        ))}
      </ol>
    </section>
  );
}

function Item({ item, queue }: { item: QueuedAsk; queue: Queue }) {
  const { t, i18n } = useTranslation();
  const index = useSlotIndex();
  const [isEditing, setEditing] = useState(false);

  function edit(willEdit: boolean): void {
    setEditing(willEdit);
    queue.setEdited(willEdit ? item.id : null);
    if (!willEdit) focusComposer(index);
  }

  if (isEditing) {
    return (
      <li>
        <ItemEdit
          text={item.text}
          onSave={(text) => {
            queue.edit(item, text);
            edit(false);
          }}
          onCancel={() => edit(false)}
        />
      </li>
    );
  }
  return (
    <li className={classes.item}>
      {item.files.length > 0 && (
        <span className={classes.files}>
          <IconPaperclip aria-hidden />
          {formatNumber(item.files.length, i18n.language)}
        </span>
      )}
      {item.once && (
        <span className={classes.once} data-tooltip={t('com_composer_mention', { 0: item.once.name })}>
          <IconAt aria-hidden />
          <bdi>{item.once.name}</bdi>
        </span>
      )}
      <span className={classes.text} dir="auto">
        {item.text}
      </span>
      <IconButton label={t('com_queue_send_now')} onClick={() => queue.sendNow(item)}>
        <IconArrowUp aria-hidden />
      </IconButton>
      <IconButton label={t('com_queue_edit')} onClick={() => edit(true)}>
        <IconPencil aria-hidden />
      </IconButton>
      <IconButton
        label={t('com_queue_remove')}
        onClick={() => {
          queue.remove(item);
          focusComposer(index);
        }}
      >
        <IconX aria-hidden />
      </IconButton>
    </li>
  );
}

/** Enter saves, Escape leaves the text as it was. */
function ItemEdit({ text, onSave, onCancel }: { text: string; onSave: (text: string) => void; onCancel: () => void }) {
  const { t } = useTranslation();
  const [edited, setEdited] = useState(text);
  const canSave = edited.trim() !== '';

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onCancel();
    else if (event.key === 'Enter' && !event.shiftKey && canSave) onSave(edited.trim());
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div className={classes.edit}>
      <textarea
        className={classes.field}
        aria-label={t('com_queue_edit')}
        dir="auto"
        rows={Math.min(6, edited.split('\n').length)}
        // The person has just asked to edit it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        value={edited}
        onChange={({ currentTarget: { value } }) => setEdited(value)}
        onKeyDown={onKeyDown}
      />
      <Button size="sm" variant="filled" disabled={!canSave} onClick={() => onSave(edited.trim())}>
        {t('com_ui_save')}
      </Button>
      <Button size="sm" onClick={onCancel}>
        {t('com_ui_cancel')}
      </Button>
    </div>
  );
}
