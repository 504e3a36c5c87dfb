import type { Column } from '@parley/schema/chat/columns';
import { endpointLabel } from '../catalog/choose-model.ts';

export function columnName({ model, endpoint }: Pick<Column, 'model' | 'endpoint'>): string {
  return model ?? endpointLabel(endpoint);
}
