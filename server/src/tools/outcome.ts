// What all tools that call services share: their failures are outcomes.
import { ServiceFailure } from './call-service.ts';
import type { ToolOutcome } from './tool.ts';

/** Runs a tool; a service that fails is an outcome, any other error is thrown. */
export async function runForOutcome(run: () => Promise<ToolOutcome | string>): Promise<ToolOutcome> {
  try {
    const said = await run();
    return typeof said === 'string' ? { type: 'done', text: said } : said;
  } catch (error) {
    if (!(error instanceof ServiceFailure)) throw error;
    const { message, service } = error;
    return { type: 'failed', text: message, ...(service && { service }) };
  }
}
