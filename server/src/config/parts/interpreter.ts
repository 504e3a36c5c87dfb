import type { Env } from '../env/env.ts';

export type InterpreterConfig = {
  isOn: boolean;
  /** The operator's own program that runs Python, as one line; undefined for the built-in one. */
  command: string | undefined;
  /** The address or folder that packages are fetched from; undefined for Pyodide's own host. */
  packagesFrom: string | undefined;
};

export function interpreterConfig(env: Env): InterpreterConfig {
  return { isOn: env.INTERPRETER !== 'off', command: env.INTERPRETER_COMMAND, packagesFrom: env.PYTHON_PACKAGES_FROM };
}
