// One contract, every provider.
import { describeProvider } from '../../contracts/provider.ts';
import { isFullRun } from '../../support/extent.ts';
import { writeServiceKey } from '../../support/service-key.ts';

/** The same code as another below with another address or name, whose requests requests.test.ts compares. */
const describeVariant: typeof describeProvider = isFullRun ? describeProvider : () => {};
const chatOnly = ['reasoning', 'tools'] as const;
/** In OpenAI's protocols nothing marks a result as an error. */
const noErrors = ['tool-errors'] as const;

describeProvider('OpenAI', {
  endpoint: 'openAI',
  setup: (url) => ({ env: { OPENAI_API_KEY: 'sk-1', OPENAI_REVERSE_PROXY: `${url}/v1` } }),
  lacks: [...noErrors],
});

describeProvider('OpenAI by completions', {
  endpoint: 'openAI',
  setup: (url) => ({
    env: { OPENAI_API_KEY: 'sk-1', OPENAI_REVERSE_PROXY: `${url}/v1`, OPENAI_FORCE_PROMPT: 'true' },
  }),
  lacks: [...chatOnly],
});

describeProvider('OpenAI by Responses', {
  endpoint: 'openAI',
  setup: (url) => ({
    env: { OPENAI_API_KEY: 'sk-1', OPENAI_REVERSE_PROXY: `${url}/v1`, OPENAI_RESPONSES: 'true' },
  }),
  model: 'gpt-5',
  lacks: [...noErrors],
});

describeProvider('a custom endpoint', {
  endpoint: 'Groq',
  setup: (url) => ({ yaml: customYaml('Groq', `${url}/v1`) }),
  lacks: [...noErrors],
});

describeVariant('Mistral', {
  endpoint: 'Mistral',
  setup: (url) => ({ yaml: customYaml('Mistral', `${url}/v1`) }),
  // It reports its usage unasked; the fake reports it to anyone who asks.
  lacks: ['usage', ...noErrors],
});

describeProvider('Cohere', {
  endpoint: 'cohere',
  setup: (url) => ({ yaml: customYaml('cohere', `${url}/v1`) }),
  lacks: ['reasoning', 'offers', 'usage', 'quota'],
});

describeProvider('Azure by groups', {
  endpoint: 'azureOpenAI',
  setup: (url) => ({
    yaml: `
endpoints:
  azureOpenAI:
    groups:
      - group: west
        apiKey: k
        instanceName: i
        deploymentName: d
        version: '2024-10-21'
        baseURL: ${url}/openai/deployments/\${DEPLOYMENT_NAME}
        models: { gpt-4: true }
`,
  }),
  model: 'gpt-4',
  lacks: [...noErrors],
});

describeVariant('Azure by the environment', {
  endpoint: 'azureOpenAI',
  setup: (url) => ({
    env: {
      AZURE_API_KEY: 'k',
      AZURE_OPENAI_API_VERSION: '2024-10-21',
      AZURE_OPENAI_BASEURL: `${url}/openai/deployments/\${DEPLOYMENT_NAME}`,
      AZURE_USE_MODEL_AS_DEPLOYMENT_NAME: 'true',
    },
  }),
  model: 'gpt-3.5-turbo',
  lacks: [...noErrors],
});

describeVariant('Azure by Responses', {
  endpoint: 'azureOpenAI',
  setup: (url) => ({
    env: {
      AZURE_API_KEY: 'k',
      AZURE_OPENAI_API_VERSION: '2024-02-01',
      AZURE_OPENAI_BASEURL: `${url}/openai/deployments/\${DEPLOYMENT_NAME}`,
      AZURE_USE_MODEL_AS_DEPLOYMENT_NAME: 'true',
      OPENAI_RESPONSES: 'true',
    },
  }),
  model: 'gpt-5',
  lacks: [...noErrors],
});

describeProvider('Anthropic', {
  endpoint: 'anthropic',
  setup: (url) => ({ env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_REVERSE_PROXY: url } }),
  model: 'claude-sonnet-5',
});

describeProvider('Anthropic by completions', {
  endpoint: 'anthropic',
  setup: (url) => ({
    env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_REVERSE_PROXY: url, ANTHROPIC_FORCE_PROMPT: 'true' },
  }),
  model: 'claude-2.1',
  lacks: [...chatOnly, 'usage', 'finish'],
});

describeProvider('Gemini', {
  endpoint: 'google',
  setup: (url) => ({ env: { GOOGLE_KEY: 'k', GOOGLE_REVERSE_PROXY: url } }),
  model: 'gemini-2.5-flash',
  lacks: ['quota', 'broken-arguments'],
});

describeVariant('Gemini 3', {
  endpoint: 'google',
  setup: (url) => ({ env: { GOOGLE_KEY: 'k', GOOGLE_REVERSE_PROXY: url } }),
  model: 'gemini-3-pro-preview',
  lacks: ['quota', 'broken-arguments'],
});

describeProvider('Gemini by Vertex', {
  endpoint: 'google',
  setup: (url) => ({
    env: { GOOGLE_SERVICE_KEY_FILE: writeServiceKey(`${url}/token`), GOOGLE_VERTEX_REVERSE_PROXY: url },
  }),
  model: 'gemini-2.5-pro',
  lacks: ['quota', 'broken-arguments'],
});

describeProvider('PaLM by Vertex', {
  endpoint: 'google',
  setup: (url) => ({
    env: { GOOGLE_SERVICE_KEY_FILE: writeServiceKey(`${url}/token`), GOOGLE_VERTEX_REVERSE_PROXY: url },
  }),
  model: 'chat-bison',
  lacks: [...chatOnly, 'usage', 'length', 'truncation', 'quota'],
});

describeProvider('Bing', {
  endpoint: 'bingAI',
  setup: (url) => ({ env: { BINGAI_TOKEN: 'u-1', BINGAI_HOST: url } }),
  model: 'BingAI',
  lacks: [...chatOnly, 'usage', 'length', 'retry', 'quota', 'status'],
});

describeProvider('Bing without its guards', {
  endpoint: 'bingAI',
  setup: (url) => ({ env: { BINGAI_TOKEN: 'u-1', BINGAI_HOST: url } }),
  model: 'Sydney',
  lacks: [...chatOnly, 'usage', 'length', 'retry', 'quota', 'status'],
});

describeProvider('ChatGPT as the browser has it', {
  endpoint: 'chatGPTBrowser',
  setup: (url) => ({ env: { CHATGPT_TOKEN: 't-1', CHATGPT_REVERSE_PROXY: `${url}/backend-api/conversation` } }),
  lacks: [...chatOnly, 'usage', 'finish', 'quota'],
});

function customYaml(name: string, baseURL: string): string {
  return `
endpoints:
  custom:
    - { name: ${name}, apiKey: k, baseURL: ${baseURL}, models: { default: [one] } }
`;
}
