import type { EndpointType } from '../catalog/endpoints.ts';
import type { ReportedRates, TokenCounts } from '../catalog/usage.ts';

/** The tokens of all answers of one model at one price. */
export interface ModelTotal extends TokenCounts {
  endpointType: EndpointType;
  model: string | null;
  /** As the provider reported them. */
  rates: ReportedRates | null;
  isEstimate: boolean;
}
