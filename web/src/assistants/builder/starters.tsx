import { IconPlus, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { STARTER_MAX, STARTERS_MAX } from './builder-form.ts';
import classes from './builder.module.css';
import { InOrder } from '../../ui/primitives/in-order.tsx';

interface StartersProps {
  starters: readonly string[];
  onChange: (starters: readonly string[]) => void;
}

/** The questions offered where a conversation begins. */
export function Starters({ starters, onChange }: StartersProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);

  function add(): void {
    onChange([...starters, '']);
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('li:last-child input')?.focus());
  }

  return (
    <section className={classes.group} aria-label={t('com_assistants_starters')}>
      <h2 className={classes.label}>{t('com_assistants_starters')}</h2>
      <ul ref={list} className={classes.rows} hidden={starters.length === 0}>
        <InOrder items={starters}>
          {(text, at) => (
            <li className={classes.row}>
              <input
                type="text"
                className={classes.input}
                aria-label={t('com_assistants_starter', { 0: at + 1 })}
                autoComplete="off"
                dir={text === '' ? undefined : 'auto'}
                maxLength={STARTER_MAX}
                value={text}
                onChange={({ currentTarget }) =>
                  onChange(starters.map((one, i) => (i === at ? currentTarget.value : one)))
                }
              />
              <IconButton
                label={t('com_assistants_remove', { 0: t('com_assistants_starter', { 0: at + 1 }) })}
                onClick={() => onChange(starters.filter((_, i) => i !== at))}
              >
                <IconX aria-hidden />
              </IconButton>
            </li>
          )}
        </InOrder>
      </ul>
      <Button size="sm" disabled={starters.length >= STARTERS_MAX} onClick={add}>
        <IconPlus aria-hidden />
        {t('com_assistants_add_starter')}
      </Button>
    </section>
  );
}
