/** The endpoint whose key this endpoint uses: plugins have none of their own. */
export function keyNameOf(endpoint: string, pluginsUseAzure: boolean): string {
  if (endpoint !== 'gptPlugins') return endpoint;
  return pluginsUseAzure ? 'azureOpenAI' : 'openAI';
}
