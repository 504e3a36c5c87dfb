import * as z from 'zod';
import { HeaderWord, parseUserKey } from '../user-key.ts';

const HostPart = z.string().regex(/^[a-z\d-]+$/i);
const PathPart = z.string().regex(/^(?!\.{1,2}$)[\w.-]+$/);
const Bundle = z.object({ apiKey: z.string() });
const AzureValue = z.object({
  azureOpenAIApiKey: HeaderWord,
  azureOpenAIApiInstanceName: HostPart,
  azureOpenAIApiDeploymentName: PathPart,
  azureOpenAIApiVersion: PathPart,
});

/** Azure's four fields, saved as JSON in place of the key. They become parts of an address. */
export function azureKeyIn(value: string, endpoint: string): z.infer<typeof AzureValue> {
  return parseUserKey(parseUserKey(value, Bundle, endpoint).apiKey, AzureValue, endpoint);
}
