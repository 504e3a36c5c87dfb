import type { EndpointType } from '@parley/schema/endpoints';

interface Kind {
  endpoint: string;
  endpointType: EndpointType;
}

/** Whether a conversation with one can go on with the other, rather than a new one beginning. */
export function isCompatible(one: Kind, other: Kind, isModular: boolean): boolean {
  const areAssistants = one.endpointType === 'assistants' && other.endpointType === 'assistants';
  return isModular || areAssistants || one.endpoint === other.endpoint;
}
