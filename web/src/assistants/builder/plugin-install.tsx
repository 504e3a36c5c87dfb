import { useTranslation } from 'react-i18next';
import { PluginForm } from '../../plugins/plugin-form.tsx';
import type { Values } from '../../plugins/plugin-values.ts';
import { useInstall } from '../../plugins/use-install.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import classes from './builder.module.css';

interface PluginInstallProps {
  pluginKey: string;
  onInstalled: () => void;
  /** It is installed, or not wanted any more. */
  onEnd: () => void;
}

/** Asks for the values of a plugin and installs it, for the list of tools that an assistant can have. */
export function PluginInstall({ pluginKey, onInstalled, onEnd }: PluginInstallProps) {
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
