import { TAG_MAX } from '@parley/schema/catalog/params';
import { IconX } from '@tabler/icons-react';
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/icon-button.tsx';
import { FieldError, FieldFrame, type FieldProps } from './field-frame.tsx';
import classes from './params.module.css';

/** A few short texts. Enter adds one, Backspace in the empty box removes the last. */
export function TagsField(props: FieldProps<'tags'>) {
  const { words, isOff } = props;
  const { t } = useTranslation();
  const faultId = useId();
  const { tags, text, isTooLong, warning, box, remove, onKeyDown, write, clear } = useTags(props);
  return (
    <FieldFrame words={words} isChanged={tags.length > 0} isOff={isOff} onReset={clear}>
      {({ help }) => (
        <>
          {/* A click beside the texts means the box. */}
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
          <div
            className={classes.tags}
            data-disabled={isOff || undefined}
            onClick={({ target, currentTarget }) => target === currentTarget && box.current?.focus()}
          >
            {tags.map((tag, index) => (
              <span key={tag} className={classes.tag}>
                <bdi>{tag}</bdi>
                <IconButton
                  className={classes.removeTag}
                  label={t('com_params_tag_remove', { 0: tag })}
                  disabled={isOff}
                  onClick={() => remove(index)}
                >
                  <IconX aria-hidden />
                </IconButton>
              </span>
            ))}
            <input
              ref={box}
              className={classes.tagBox}
              type="text"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              enterKeyHint="done"
              placeholder={t('com_params_tag_placeholder')}
              aria-label={words.label}
              aria-invalid={isTooLong || undefined}
              aria-describedby={isTooLong ? faultId : help}
              dir={text === '' ? undefined : 'auto'}
              disabled={isOff}
              value={text}
              onChange={(event) => write(event.currentTarget.value)}
              onKeyDown={onKeyDown}
            />
          </div>
          {isTooLong && (
            <FieldError id={faultId}>{t('com_params_too_long', { 0: TAG_MAX, 1: text.length })}</FieldError>
          )}
          <p className={classes.warning} role="status">
            {warning}
          </p>
        </>
      )}
    </FieldFrame>
  );
}

/** The tags, the text being typed, and why an entry was dropped or kept. */
function useTags({ param, value, onChange }: FieldProps<'tags'>) {
  const { t } = useTranslation();
  const box = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [warning, setWarning] = useState<string | null>(null);
  const tags = tagsOf(value) ?? tagsOf(param.default) ?? [];
  const isTooLong = text.length > TAG_MAX;

  function change(next: string[], said: string | null): void {
    setWarning(said);
    if (next !== tags) onChange(next);
  }

  function add(): void {
    const isMore = tags.length >= param.max;
    const known = tags.includes(text);
    setText('');
    change(
      known ? tags : [...tags, text].slice(-param.max),
      isMore && !known ? t('com_ui_max_tags', { 0: param.max }) : null,
    );
  }

  function remove(index: number): void {
    const min = param.min ?? 0;
    const isKept = tags.length <= min;
    change(isKept ? tags : tags.toSpliced(index, 1), isKept ? t('com_ui_min_tags', { 0: min }) : null);
    box.current?.focus();
  }

  function write(written: string): void {
    setText(written);
    setWarning(null);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      if (text !== '' && !isTooLong) add();
    } else if (event.key === 'Backspace' && text === '' && tags.length > 0) {
      event.preventDefault();
      remove(tags.length - 1);
    }
  }

  return { tags, text, isTooLong, warning, box, remove, onKeyDown, write, clear: () => change([], null) };
}

function tagsOf(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((tag) => typeof tag === 'string') : undefined;
}
