import type { presets } from '@parley/db/tables/presets';
import type { Preset } from '@parley/schema/settings/presets';
import { isoTime } from '../platform/iso-time.ts';

export function presentPreset(row: typeof presets.$inferSelect): Preset {
  return {
    presetId: row.id,
    title: row.title,
    endpoint: row.endpoint,
    endpointType: row.endpointType,
    model: row.model,
    settings: row.settings,
    isDefault: row.isDefault,
    order: row.order,
    user: row.userId,
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  };
}
