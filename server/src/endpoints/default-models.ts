// The models offered when neither the configuration nor the provider names any (C.6 of the REST facts).

export const OPENAI_MODELS = [
  'gpt-3.5-turbo-0125',
  'gpt-3.5-turbo-16k-0613',
  'gpt-3.5-turbo-16k',
  'gpt-4-turbo-preview',
  'gpt-4-0125-preview',
  'gpt-4-1106-preview',
  'gpt-3.5-turbo',
  'gpt-3.5-turbo-1106',
  'gpt-4-vision-preview',
  'gpt-4',
  'gpt-3.5-turbo-instruct-0914',
  'gpt-3.5-turbo-0613',
  'gpt-3.5-turbo-0301',
  'gpt-3.5-turbo-instruct',
  'gpt-4-0613',
  'text-davinci-003',
  'gpt-4-0314',
];

export const GOOGLE_MODELS = [
  'gemini-pro',
  'gemini-pro-vision',
  'chat-bison',
  'chat-bison-32k',
  'codechat-bison',
  'codechat-bison-32k',
  'text-bison',
  'text-bison-32k',
  'text-unicorn',
  'code-gecko',
  'code-bison',
  'code-bison-32k',
];

export const ANTHROPIC_MODELS = [
  'claude-3-opus-20240229',
  'claude-3-sonnet-20240229',
  'claude-3-haiku-20240307',
  'claude-2.1',
  'claude-2',
  'claude-1.2',
  'claude-1',
  'claude-1-100k',
  'claude-instant-1',
  'claude-instant-1-100k',
];

export const BING_MODELS = ['BingAI', 'Sydney'];

export const CHATGPT_MODELS = ['text-davinci-002-render-sha', 'gpt-4'];
