import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { Settings } from '@parley/schema/catalog/params';

/** The complete target of a request: endpoint, model and settings. */
export interface ModelTarget {
  endpoint: string;
  endpointType: EndpointType;
  model: string | null;
  settings: Settings;
  modelDisplayLabel?: string | undefined;
  /** The preset it came from, while unchanged. */
  presetId?: string | undefined;
}

/** Whether this is the endpoint that the server offers where nothing is set up: its answers are prepared texts. */
export function isDemo({ endpoint, model }: Pick<ModelTarget, 'endpoint' | 'model'>): boolean {
  return endpoint === 'Demo' && model !== null && model.startsWith('parley');
}

/** A model that answers a question again, with the settings of the chat. */
export type OtherModel = Omit<ModelTarget, 'settings' | 'presetId'>;
