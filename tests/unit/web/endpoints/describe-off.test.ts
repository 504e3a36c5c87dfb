// @vitest-environment happy-dom
import { listEndpointStatus } from '@parley/server/catalog/endpoint-status';
import { beforeAll, describe, expect, it } from 'vitest';
import { openEndpoints } from '../../../support/endpoints.ts';
import { describeOff } from '../../../../web/src/endpoints/describe-off.ts';
import { i18n } from '../../../../web/src/i18n.ts';
import { startEnglish } from '../start-english.ts';

beforeAll(async () => {
  await startEnglish();
});

describe('why an endpoint is off, as its administrator reads it,', () => {
  it('is the missing key, also where more than one setting would do, and not ENDPOINTS', async () => {
    const reasons = await reasonsWith({ OPENAI_API_KEY: 'k' });
    expect(reasons.anthropic).toBe('ANTHROPIC_API_KEY is not set');
    expect(reasons.google).toBe('neither GOOGLE_KEY nor the key file of a service account is there');
    expect(reasons.azureOpenAI).toBe('neither AZURE_API_KEY nor endpoints.azureOpenAI of the yaml file is set');
  });

  it('is ENDPOINTS where that leaves it out', async () => {
    const reasons = await reasonsWith({ OPENAI_API_KEY: 'k', GOOGLE_KEY: 'k', ENDPOINTS: 'openAI' });
    expect(reasons.google).toBe('ENDPOINTS leaves it out');
  });
});

async function reasonsWith(env: Record<string, string>): Promise<Record<string, string>> {
  const off = listEndpointStatus(await openEndpoints({ env })).filter(({ state }) => state === 'off');
  return Object.fromEntries(off.map(({ endpoint, why }) => [endpoint, describeOff(why ?? '', i18n.t)]));
}
