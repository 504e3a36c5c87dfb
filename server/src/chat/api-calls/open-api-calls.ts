// What calls of programs need of a server.
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { logError } from '../../platform/log-error.ts';
import { createWordModeration } from '../checks/moderation.ts';
import type { ApiCall } from './api-call.ts';
import type { CallDeps } from './run-call.ts';
import { createRunningCalls } from './running-calls.ts';

interface Parts extends Omit<CallDeps, 'running' | 'onFault' | 'moderateWords' | 'limitsOfReplies'> {
  config: Config;
  log: Logger;
  onFault: (error: unknown) => void;
}

export function openApiCalls(parts: Parts): CallDeps {
  const { config, db, owner, beginning, limits, billing, metrics, log, onFault } = parts;
  return {
    db,
    owner,
    beginning,
    limits,
    billing,
    metrics,
    limitsOfReplies: config.endpoints.timeouts,
    moderateWords: createWordModeration(config.moderation),
    running: createRunningCalls(db, owner, onFault),
    onFault: (error: unknown, { id, holder, endpoint, model }: ApiCall) =>
      logError(log, error, { event: 'generation.failed', generationId: id, userId: holder.userId, endpoint, model }),
  };
}
