import type { Preset } from '@parley/schema/settings/presets';
import { i18n } from '../i18n.ts';
import { showToast } from '../ui/toast/toast.ts';
import { showUndo } from '../ui/toast/undo.ts';
import { trpc } from '../trpc.ts';

/** Deletes presets and refetches the list, and offers to bring them back; shows failures. */
export function useRemovePresets() {
  const { presets, client } = trpc.useUtils();
  const refetch = () => void presets.list.invalidate();

  // The dialog that asked is gone when the answer comes, and its hooks with it.
  async function remove(removed: readonly Preset[], ask: () => Promise<unknown>): Promise<void> {
    try {
      await ask();
    } catch {
      return fail('com_endpoint_preset_delete_error');
    }
    refetch();
    if (removed.length === 0) return;
    showUndo(i18n.t('com_endpoint_presets_deleted', { count: removed.length }), () => void restore(removed));
  }

  /** Whole, with their ids, which folders and prompts name, and their times, by which they are listed. */
  async function restore(removed: readonly Preset[]): Promise<void> {
    try {
      const { skipped } = await client.presets.restore.mutate({ presets: removed.map((preset) => ({ ...preset })) });
      if (skipped > 0) fail('com_endpoint_presets_restore_failed');
    } catch {
      fail('com_endpoint_presets_restore_failed');
    }
    refetch();
  }

  return {
    removeOne: (preset: Preset) => remove([preset], () => client.presets.remove.mutate({ presetId: preset.presetId })),
    removeAll: () => remove(presets.list.getData() ?? [], () => client.presets.removeAll.mutate()),
  };
}

function fail(key: 'com_endpoint_preset_delete_error' | 'com_endpoint_presets_restore_failed'): void {
  showToast({ message: i18n.t(key), severity: 'error' });
}
