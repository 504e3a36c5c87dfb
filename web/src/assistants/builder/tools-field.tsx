import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { originLabel } from '../../chat/tools/tool-labels.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { pickedTools } from './builder-form.ts';
import classes from './builder.module.css';
import { ToolPicker } from './tool-picker.tsx';
import type { Builder } from './use-builder.ts';

/** The tools that an assistant has, and the dialog that adds them. */
export function ToolsField({ builder: { saved, form, change } }: { builder: Builder }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { data: offered = [] } = trpc.assistants.tools.useQuery();
  const kept = pickedTools(saved?.tools ?? []).filter((name) => !form.removedTools.includes(name));
  const chosen = [...kept, ...form.addedTools.filter((key) => !kept.includes(key))];
  const labelOf = (key: string) => {
    const tool = offered.find((one) => one.key === key);
    return tool ? originLabel(tool.from, t) : key;
  };

  function toggle(key: string): void {
    if (form.addedTools.includes(key)) return change({ addedTools: form.addedTools.filter((one) => one !== key) });
    if (kept.includes(key)) return change({ removedTools: [...form.removedTools, key] });
    if (form.removedTools.includes(key))
      return change({ removedTools: form.removedTools.filter((one) => one !== key) });
    change({ addedTools: [...form.addedTools, key] });
  }

  return (
    <section className={classes.group} aria-label={t('com_assistants_tools')}>
      <h2 className={classes.label}>{t('com_assistants_tools')}</h2>
      {chosen.length > 0 && (
        <ul className={classes.rows}>
          {chosen.map((key) => (
            <li key={key} className={classes.row}>
              <span className={classes.itemName}>{labelOf(key)}</span>
              <IconButton
                type="button"
                label={t('com_assistants_remove', { 0: labelOf(key) })}
                onClick={() => toggle(key)}
              >
                <IconX aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <Button size="sm" type="button" onClick={() => setOpen(true)}>
        <IconPlus aria-hidden />
        {t('com_assistants_add_tools')}
      </Button>
      {isOpen && <ToolPicker chosen={chosen} onToggle={toggle} onClose={() => setOpen(false)} />}
    </section>
  );
}
