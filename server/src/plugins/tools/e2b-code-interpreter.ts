// A server with the interface of E2B's code interpreter for ChatGPT: commands and files of one session.
import { withoutTrailingSlash } from '../../config/addresses.ts';
import { argumentsSchema } from '../../providers/tool-spec.ts';
import type { ToolRun } from '../../tools/tool.ts';
import { callService, type ServiceRequest } from '../../tools/call-service.ts';
import { address, definePlugin, type PluginTool } from '../define-plugin.ts';

const TIMEOUT_MS = 60_000;

export const e2bCodeInterpreter = definePlugin({
  key: 'e2b_code_interpreter',
  name: 'E2B Code Interpreter',
  description: 'Runs commands and reads and writes files on a server of your own with the interface of E2B.',
  fields: [address('E2B_SERVER_URL', 'E2B server URL', 'The address of your server.')],
  isForAssistants: false,
  tools: ({ service, valueOf }) => {
    const baseURL = withoutTrailingSlash(valueOf('E2B_SERVER_URL'));
    const call = ({ convoId, signal }: ToolRun, path: string, request: Omit<ServiceRequest, 'url' | 'signal'>) =>
      callService(service, {
        ...request,
        url: `${baseURL}${path}`,
        // The server keeps one session for each of these.
        headers: { 'openai-conversation-id': convoId },
        timeoutMs: TIMEOUT_MS,
        signal,
      });
    const path = { type: 'string', description: 'The path of the file.', maxLength: 1000 };
    const tools: PluginTool[] = [
      {
        name: 'RunCommand',
        description: 'Runs a command in a terminal of a remote machine and returns what it prints.',
        parameters: argumentsSchema(
          {
            command: { type: 'string', description: 'The command.', maxLength: 20_000 },
            workDir: { type: 'string', description: 'The folder to run it in.', maxLength: 1000 },
          },
          ['command'],
        ),
        isRepeatable: false,
        run: (run) => call(run, '/commands', { body: { command: run.args.command, workDir: run.args.workDir } }),
      },
      {
        name: 'ReadFile',
        description: 'Reads a file of the remote machine.',
        parameters: argumentsSchema({ path }),
        isRepeatable: true,
        run: (run) => call(run, '/files', { query: { path: String(run.args.path) } }),
      },
      {
        name: 'WriteFile',
        description: 'Writes a file of the remote machine.',
        parameters: argumentsSchema({
          path,
          content: { type: 'string', description: 'The whole file.', maxLength: 200_000 },
        }),
        isRepeatable: false,
        run: (run) =>
          call(run, '/files', {
            method: 'PUT',
            query: { path: String(run.args.path) },
            body: { content: run.args.content },
          }),
      },
    ];
    return tools.map((tool) => ({ ...tool, timeoutMs: TIMEOUT_MS + 5000 }));
  },
});
