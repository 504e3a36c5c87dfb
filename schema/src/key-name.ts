/** The endpoint whose key an endpoint is asked with: plugins have none of their own. */
export function keyNameOf(endpoint: string, pluginsUseAzure: boolean): string {
  if (endpoint !== 'gptPlugins') return endpoint;
  return pluginsUseAzure ? 'azureOpenAI' : 'openAI';
}
