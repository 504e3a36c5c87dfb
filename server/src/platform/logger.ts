import { pino, type Logger } from 'pino';
import type { LogConfig } from '../config/parts/server.ts';

/**
 * Logs to standard output: one JSON object per line with `CONSOLE_JSON`, otherwise one readable line. Every line has
 * `time` (ISO 8601, UTC), `level` and `msg`; searchable lines also have a fixed `event` (`log-error.ts`).
 */
export async function createLogger({ level, json }: LogConfig): Promise<Logger> {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  if (json) return pino(options);
  // Loaded only when used: servers with JSON logs do not need it.
  const { default: pretty } = await import('pino-pretty');
  return pino(options, pretty({ singleLine: true, sync: true, translateTime: 'SYS:yyyy-mm-dd HH:MM:ss.l' }));
}
