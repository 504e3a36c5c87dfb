import { IconApi, IconPlus, IconX } from '@tabler/icons-react';
import type { ToolInfo } from '@parley/schema/tools/tools';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { originLabel } from '../../chat/tools/tool-labels.ts';
import { PartChoice } from '../../chat/tools/part-choice.tsx';
import { ToolChooser } from '../../chat/tools/tool-chooser.tsx';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Modal } from '../../ui/modal.tsx';
import { ActionRows } from '../actions/action-rows.tsx';
import { useEditAction } from '../actions/use-edit-action.ts';
import { chosenToolKeys, serverTools, setServerTools, toggleTool } from './builder-form.ts';
import classes from './builder.module.css';
import type { Builder } from './use-builder.ts';
import { PluginForm } from '../../plugins/plugin-form.tsx';
import type { Values } from '../../plugins/plugin-values.ts';
import { useInstall } from '../../plugins/use-install.ts';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';

/** Not in the server's list, since REST clients switch it by itself. */
const PYTHON: ToolInfo = {
  key: 'code_interpreter',
  from: { source: 'builtin', id: 'code_interpreter', label: 'Code interpreter' },
  description: '',
  unavailable: null,
};

/** What an assistant can do: built-in tools, plugins, tool servers, and the APIs that it calls. */
export function ToolsField({ builder }: { builder: Builder }) {
  const { t } = useTranslation();
  const { saved, form, change, capabilities } = builder;
  const [isOpen, setOpen] = useState(false);
  const tools = useOffered(capabilities, (key) => serverTools(form, saved, key));
  const { edit, warning } = useEditAction(saved);
  const chosen = chosenToolKeys(form, saved);
  const canCallApis = capabilities.includes('actions');
  const toggle = (key: string) => change(toggleTool(form, saved, key));
  const labelOf = (key: string) => {
    const tool = tools.data?.find((one) => one.key === key);
    return tool ? originLabel(tool.from, t) : key.replace(/^mcp:/, '');
  };

  return (
    <section className={classes.group} aria-label={t('com_assistants_tools')}>
      <h2 className={classes.label}>{t('com_assistants_tools')}</h2>
      {chosen.length > 0 && (
        <ul className="wrap-row">
          {chosen.map((key) => (
            <li key={key} className={classes.chip}>
              <bdi className={classes.itemName}>{labelOf(key)}</bdi>
              <IconButton label={t('com_assistants_remove', { 0: labelOf(key) })} onClick={() => toggle(key)}>
                <IconX aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {canCallApis && <ActionRows assistant={saved} onEdit={edit} />}
      {warning && (
        <p className={classes.error} role="status">
          {warning}
        </p>
      )}
      <div className="wrap-row">
        <Button size="sm" onClick={() => setOpen(true)}>
          <IconPlus aria-hidden />
          {t('com_assistants_add_tools')}
        </Button>
        {canCallApis && (
          <Button size="sm" onClick={() => edit(null)}>
            <IconApi aria-hidden />
            {t('com_assistants_add_api')}
          </Button>
        )}
      </div>
      {isOpen && (
        <ToolDialog
          tools={tools}
          chosen={chosen}
          onToggle={toggle}
          onSetParts={(key, parts) => change(setServerTools(form, saved, key, parts))}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  );
}

interface ToolDialogProps {
  tools: ReturnType<typeof useOffered>;
  chosen: readonly string[];
  onToggle: (key: string) => void;
  /** Which tools of a server are used. */
  onSetParts: (key: string, parts: Parameters<typeof setServerTools>[3]) => void;
  onClose: () => void;
}

function ToolDialog({ tools, chosen, onToggle, onSetParts, onClose }: ToolDialogProps) {
  const { t } = useTranslation();
  const [installing, setInstalling] = useState<string | null>(null);
  return (
    // Closing the form of a plugin leaves it for the list.
    <Modal title={t('com_assistants_add_tools')} onClose={installing === null ? onClose : () => setInstalling(null)}>
      {installing === null ? (
        <div className={classes.chooser}>
          <ToolChooser
            tools={tools}
            chosen={chosen}
            onToggle={onToggle}
            onSetUp={setInstalling}
            renderParts={({ key, label, parts = [], partsFound }) => (
              <PartChoice
                label={label}
                parts={parts}
                wanted={partsFound}
                onSet={(names, isOn) => onSetParts(key, { all: parts.map(({ name }) => name), names, isOn })}
              />
            )}
          />
        </div>
      ) : (
        <PluginInstall
          pluginKey={installing}
          onInstalled={() => onToggle(installing)}
          onEnd={() => setInstalling(null)}
        />
      )}
    </Modal>
  );
}

/**
 * The tools that an assistant can have, as the operator's capabilities leave them. Of a server those that its person uses,
 * with the assistant's own choice among them.
 */
function useOffered(capabilities: readonly string[], choiceOf: (key: string) => readonly string[] | null) {
  const { data, isError, refetch } = trpc.assistants.tools.useQuery(undefined, { refetchOnWindowFocus: 'always' });
  const python = capabilities.includes('code_interpreter') ? [PYTHON] : [];
  const chosen = data?.map((tool): ToolInfo => {
    if (!tool.tools) return tool;
    const names = choiceOf(tool.key);
    const usable = tool.tools.filter(({ isOn }) => isOn);
    return { ...tool, tools: usable.map((part) => ({ ...part, isOn: names?.includes(part.name) ?? true })) };
  });
  return { data: chosen && [...python, ...chosen], isError, refetch };
}

interface PluginInstallProps {
  pluginKey: string;
  onInstalled: () => void;
  /** It is installed, or not wanted any more. */
  onEnd: () => void;
}

/** Asks for the values of a plugin and installs it, for the list of tools that an assistant can have. */
function PluginInstall({ pluginKey, onInstalled, onEnd }: PluginInstallProps) {
  const { t } = useTranslation();
  const utils = trpc.useUtils();
  const { data, isError, refetch } = trpc.plugins.list.useQuery();
  const { busy, failure, install } = useInstall();
  const plugin = data?.find(({ key }) => key === pluginKey);
  if (isError) return <Button onClick={() => void refetch()}>{t('com_ui_retry')}</Button>;
  if (!plugin) return <SkeletonRows count={3} />;

  async function save(values: Values): Promise<void> {
    if (!plugin || !(await install(plugin, values))) return;
    await utils.assistants.tools.invalidate();
    onInstalled();
    onEnd();
  }

  return (
    // React passes the event on to the form around the dialog, which would save the assistant.
    <div onSubmit={(event) => event.stopPropagation()}>
      {failure && (
        <p className={classes.error} role="alert">
          {failure}
        </p>
      )}
      <PluginForm
        plugin={plugin}
        isBusy={busy.has(plugin.key)}
        onSave={(values) => void save(values)}
        onCancel={onEnd}
      />
    </div>
  );
}
