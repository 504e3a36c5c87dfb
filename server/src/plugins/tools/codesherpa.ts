// A server with the interface of CodeSherpa: a Python session and a shell.
import { withoutTrailingSlash } from '../../config/addresses.ts';
import { argumentsSchema } from '../../providers/tool-spec.ts';
import type { ToolRun } from '../../tools/tool.ts';
import { callService } from '../../tools/call-service.ts';
import { address, definePlugin, type PluginTool } from '../define-plugin.ts';

const TIMEOUT_MS = 60_000;

export const codesherpa = definePlugin({
  key: 'codesherpa_tools',
  name: 'CodeSherpa',
  description: 'Runs Python and commands on a server of your own with the interface of CodeSherpa.',
  fields: [address('CODESHERPA_SERVER_URL', 'CodeSherpa server URL', 'The address of your server.')],
  isForAssistants: false,
  tools: ({ service, valueOf }) => {
    const baseURL = withoutTrailingSlash(valueOf('CODESHERPA_SERVER_URL'));
    const call = ({ signal }: ToolRun, path: string, body: object) =>
      callService(service, { url: `${baseURL}${path}`, body, timeoutMs: TIMEOUT_MS, signal });
    const tools: PluginTool[] = [
      {
        name: 'RunCode',
        description: 'Runs code in a session that keeps its variables, and returns what it prints.',
        parameters: argumentsSchema(
          {
            code: { type: 'string', description: 'The code.', maxLength: 100_000 },
            language: { type: 'string', description: 'The language of the code.', default: 'python', maxLength: 40 },
          },
          ['code'],
        ),
        isRepeatable: false,
        run: (run) => call(run, '/repl', { code: run.args.code, language: run.args.language ?? 'python' }),
      },
      {
        name: 'RunShellCommand',
        description: 'Runs a command in a shell and returns what it prints.',
        parameters: argumentsSchema({ command: { type: 'string', description: 'The command.', maxLength: 20_000 } }),
        isRepeatable: false,
        run: (run) => call(run, '/command', { command: run.args.command }),
      },
    ];
    return tools.map((tool) => ({ ...tool, timeoutMs: TIMEOUT_MS + 5000 }));
  },
});
