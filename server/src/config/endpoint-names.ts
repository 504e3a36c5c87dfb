import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import { typedKeys } from '@parley/schema/entries';

/**
 * The allowed values of ENDPOINTS, in the order of the endpoint table; `custom` stands for all endpoints of the yaml
 * file.
 */
export const ENDPOINT_WORDS = typedKeys(endpointTable);

/** Words that ENDPOINTS may hold elsewhere, of endpoints that are not there: each is left out and said at the start. */
export const ABSENT_ENDPOINT_WORDS: readonly string[] = ['azureAssistants', 'agents', 'bedrock'];

/** The built-in endpoints, in default order. */
export const BUILT_IN_ENDPOINTS: readonly EndpointType[] = ENDPOINT_WORDS.filter((word) => word !== 'custom');
