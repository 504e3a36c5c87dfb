import type { EndpointType } from '@parley/schema/catalog/endpoints';

interface Kind {
  endpoint: string;
  endpointType: EndpointType;
}

/** Whether a conversation with one can continue with the other instead of starting a new one. */
export function areEndpointsCompatible(one: Kind, other: Kind, isModular: boolean): boolean {
  const areAssistants = one.endpointType === 'assistants' && other.endpointType === 'assistants';
  return isModular || areAssistants || one.endpoint === other.endpoint;
}
