/** Where the keys of each kind of provider are made, by its label. */
export const KEY_PAGES: Readonly<Record<string, string>> = {
  OpenAI: 'https://platform.openai.com/api-keys',
  Anthropic: 'https://console.anthropic.com/settings/keys',
  Google: 'https://aistudio.google.com/apikey',
  'Azure OpenAI': 'https://portal.azure.com',
  Mistral: 'https://console.mistral.ai/api-keys',
  Groq: 'https://console.groq.com/keys',
  DeepSeek: 'https://platform.deepseek.com/api_keys',
  xAI: 'https://console.x.ai',
  OpenRouter: 'https://openrouter.ai/keys',
  Together: 'https://api.together.ai/settings/api-keys',
};
