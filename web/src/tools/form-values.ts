// The fields of the form of a server, and what it sends.
import type { AddMcpServer } from '@parley/schema/tools/mcp-inputs';
import type { McpAuth, McpServer } from '@parley/schema/tools/mcp-servers';

export type FormName = 'name' | 'url' | 'auth' | 'headerName' | 'headerValue';
export type FormValues = Record<FormName, string>;

export const AUTHS: readonly McpAuth[] = ['none', 'header', 'oauth'];
/** What most servers take. */
const USUAL_HEADER = 'Authorization';

/** The values to begin with; those of a header never come back from the server. */
export function mcpFormValues(edited: McpServer | null): FormValues {
  const { name = '', auth = 'none' } = edited ?? {};
  return { name, url: edited?.url ?? '', auth, headerName: USUAL_HEADER, headerValue: '' };
}

/** Without a value, a saved header stays as it is. */
export function mcpServerInput({ name, url, auth, headerName, headerValue }: FormValues): AddMcpServer {
  const isHeader = auth === 'header' && headerValue !== '';
  return {
    name: name.trim(),
    url: url.trim(),
    auth: AUTHS.find((one) => one === auth) ?? 'none',
    ...(isHeader && { header: { name: headerName.trim(), value: headerValue } }),
  };
}
