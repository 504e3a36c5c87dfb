// What is written into the form of a tool server.
import type { ParseKeys } from 'i18next';

export interface ServerValues {
  name: string;
  url: string;
  /** One a line. */
  headers: string;
}

/** `saved` is what the server has: where its address changes, its headers are entered again. */
export function serverErrors(
  { name, url, headers }: ServerValues,
  saved: { url: string | null; hasHeaders: boolean },
): Partial<Record<keyof ServerValues, ParseKeys>> {
  const isElsewhere = saved.hasHeaders && headers.trim() === '' && url.trim() !== saved.url;
  return {
    ...(!/^[\w-]{1,32}$/.test(name.trim()) && { name: 'com_admin_tools_server_name_wrong' }),
    ...(!isAddress(url.trim()) && { url: 'com_admin_providers_address_wrong' }),
    ...(headersIn(headers) === null && { headers: 'com_admin_tools_server_headers_wrong' }),
    ...(isElsewhere && { headers: 'com_admin_tools_server_headers_elsewhere' }),
  };
}

/** Null where a line is no header. */
export function headersIn(text: string): { name: string; value: string }[] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const headers = lines.map((line) => {
    const at = line.indexOf(':');
    return { name: line.slice(0, Math.max(at, 0)).trim(), value: line.slice(at + 1).trim() };
  });
  return headers.every(({ name, value }) => /^[\w-]+$/.test(name) && value !== '') ? headers : null;
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:\/\//i.test(text);
}
