import type { EndpointType } from '../catalog/endpoints.ts';
import type { Rates } from '../catalog/rates.ts';

/** The tokens of all answers of one model at one price. */
export interface ModelTotal {
  endpointType: EndpointType;
  model: string | null;
  /** As the provider reported them. */
  rates: Rates | null;
  input: number;
  output: number;
  isEstimate: boolean;
}
