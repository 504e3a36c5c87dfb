import type { Provider } from './provider.ts';
import { openAI } from './openai.ts';

/** The endpoint types that can be asked. */
export type AskableType = 'openAI' | 'custom';

export const providers: Record<AskableType, Provider> = {
  openAI,
  custom: openAI,
};
