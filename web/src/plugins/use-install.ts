// Installs and uninstalls plugins, and shows for a while why that failed.
import type { Plugin } from '@parley/schema/tools/plugins';
import type { ParseKeys } from 'i18next';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../errors/describe-error.ts';
import { trpc } from '../trpc.ts';
import { askedFields, fieldValueName, type Values } from './plugin-values.ts';
import { emitUninstall } from './uninstall-events.ts';

/** How long a failure is shown, in milliseconds. */
const SHOWN_MS = 5_000;

export interface Install {
  /** The keys of the plugins that are being installed or uninstalled. */
  busy: ReadonlySet<string>;
  /** Why the last attempt failed; null when it did not, or some time ago. */
  failure: string | null;
  /** True when it is installed. */
  install(plugin: Plugin, values?: Values): Promise<boolean>;
  uninstall(plugin: Plugin): Promise<void>;
}

export function useInstall(): Install {
  const { t } = useTranslation();
  const utils = trpc.useUtils();
  const { mutateAsync: install } = trpc.plugins.install.useMutation();
  const { mutateAsync: uninstall } = trpc.plugins.uninstall.useMutation();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [failure, setFailure] = useState<{ text: string } | null>(null);

  useEffect(() => {
    if (!failure) return;
    const timer = setTimeout(() => setFailure(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [failure]);

  async function attempt(key: string, work: () => Promise<unknown>, failed: ParseKeys): Promise<boolean> {
    setFailure(null);
    setBusy((before) => new Set(before).add(key));
    try {
      await work();
      await utils.plugins.list.invalidate();
      // The menu of tools is closed now, and must not show the old state first.
      void utils.tools.list.invalidate(undefined, { refetchType: 'all' });
      return true;
    } catch (error) {
      setFailure({ text: t(failed, { 0: describeError(error, t) }) });
      return false;
    } finally {
      setBusy((before) => new Set([...before].filter((one) => one !== key)));
    }
  }

  return {
    busy,
    failure: failure?.text ?? null,
    install: ({ key }, values = {}) => attempt(key, () => install({ key, values }), 'com_plugins_install_failed'),
    async uninstall({ key, ...plugin }) {
      const fields = askedFields(plugin).map(fieldValueName);
      const isDone = await attempt(key, () => uninstall({ key, fields }), 'com_plugins_uninstall_failed');
      if (isDone) emitUninstall(key);
    },
  };
}
