// What the form of a server accepts: the same rules as the server's. Loaded when somebody types.
import { AddMcpServer } from '@parley/schema/tools/mcp-inputs';
import type { McpServer } from '@parley/schema/tools/mcp-servers';
import type { ParseKeys } from 'i18next';
import type { FormName, FormValues } from './form-values.ts';

type FormErrors = Partial<Record<FormName, ParseKeys>>;

const { name: Name, url: Url, header } = AddMcpServer.shape;
const { name: HeaderName, value: HeaderValue } = header.unwrap().shape;

/** The first broken rule of each field. A saved header may be left out where the host stays. */
export function serverErrors(values: FormValues, edited: McpServer | null): FormErrors {
  const isHeader = values.auth === 'header';
  const needsHeader = isHeader && !(keepsHeader(values, edited) && values.headerValue === '');
  return {
    ...(!Name.safeParse(values.name).success && { name: 'com_mcp_name_wrong' }),
    ...(!Url.safeParse(values.url.trim()).success && { url: 'com_mcp_url_wrong' }),
    ...(needsHeader && !HeaderName.safeParse(values.headerName).success && { headerName: 'com_mcp_header_name_wrong' }),
    ...(needsHeader &&
      !HeaderValue.safeParse(values.headerValue).success && { headerValue: 'com_mcp_header_value_wrong' }),
  };
}

function keepsHeader({ url }: FormValues, edited: McpServer | null): boolean {
  if (edited?.auth !== 'header' || edited.url === null) return false;
  return URL.canParse(url) && new URL(url).host === new URL(edited.url).host;
}
