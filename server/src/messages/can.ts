import { endpointTable, type EndpointRow, type EndpointType } from '@parley/schema/endpoints';
import { refuse } from '../errors.ts';

/** Refuses with `conflict` what an endpoint does not allow with its messages. */
export function assertCan(type: EndpointType, deed: keyof EndpointRow['can']): void {
  // A row that another version wrote may name a type that is unknown here.
  const row: EndpointRow | undefined = endpointTable[type];
  if (!row?.can[deed]) refuse({ type: 'conflict', text: `${row?.label ?? type} does not support this: ${deed}` });
}
