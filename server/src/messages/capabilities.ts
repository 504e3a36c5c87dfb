import { endpointTable, type EndpointRow, type EndpointType } from '@parley/schema/catalog/endpoints';
import { refuse } from '../platform/errors.ts';

/** Refuses with `conflict` an action that the endpoint type does not support. */
export function assertSupports(type: EndpointType, capability: keyof EndpointRow['can']): void {
  // A row written by another version may have a type unknown here.
  const row: EndpointRow | undefined = endpointTable[type];
  if (!row?.can[capability])
    refuse({ type: 'conflict', text: `${row?.label ?? type} does not support this: ${capability}` });
}
