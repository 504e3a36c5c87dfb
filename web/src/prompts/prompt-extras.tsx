import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toggleTool } from '../chat/tools/arrange-tools.ts';
import { ToolChooser } from '../chat/tools/tool-chooser.tsx';
import { formatNumber } from '../lib/format-number.ts';
import { usePresets } from '../presets/use-presets.ts';
import { useStartup } from '../startup.ts';
import { trpc } from '../trpc.ts';
import { SelectField } from '../ui/fields/select-field.tsx';
import type { PromptDraft } from './prompt-drafts.ts';
import classes from './prompts.module.css';

type Extras = Pick<PromptDraft, 'presetId' | 'tools'>;

/** What a prompt proposes where it is inserted: a preset of the person, and tools. */
export function PromptExtras({ presetId, tools, onChange }: Extras & { onChange: (over: Partial<Extras>) => void }) {
  const { t, i18n } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const areToolsOff = useStartup()?.toolsEnabled === false;
  const { presets = [] } = usePresets(Infinity);
  const isGone = presetId !== null && !presets.some((preset) => preset.presetId === presetId);
  const options = [
    { value: '', label: t('com_prompts_preset_none') },
    ...presets.map((preset) => ({ value: preset.presetId, label: preset.title })),
    ...(isGone ? [{ value: presetId, label: t('com_tools_gone') }] : []),
  ];
  const count = tools.length > 0 ? ` (${formatNumber(tools.length, i18n.language)})` : '';
  return (
    <>
      {options.length > 1 && (
        <SelectField
          label={t('com_prompts_preset')}
          value={presetId ?? ''}
          options={options}
          onChange={(chosen) => onChange({ presetId: chosen === '' ? null : chosen })}
        />
      )}
      {!areToolsOff && (
        <details className={classes.versions} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{`${t('com_tools')}${count}`}</summary>
          {isOpen && <Tools chosen={tools} onToggle={(key) => onChange({ tools: toggleTool(tools, key) })} />}
        </details>
      )}
    </>
  );
}

/** Asks for the list only once it is opened. */
function Tools({ chosen, onToggle }: { chosen: readonly string[]; onToggle: (key: string) => void }) {
  const tools = trpc.tools.list.useQuery();
  return <ToolChooser tools={tools} chosen={chosen} onToggle={onToggle} />;
}
