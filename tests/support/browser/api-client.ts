// What a user of a browser test does elsewhere, by the REST paths: states need no clicks.
import { PASSWORD, type App } from './app.ts';

export interface ApiClient {
  headers: { authorization: string };
  /** The answer, parsed. */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
}

/** Signs in as a registered user of the app. */
export async function apiClient({ url }: Pick<App, 'url'>, name: string): Promise<ApiClient> {
  const json = { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0' };
  const credentials = JSON.stringify({ email: `${name}@example.com`, password: PASSWORD });
  const answer = await fetch(`${url}/api/auth/login`, { method: 'POST', headers: json, body: credentials });
  const { token } = (await answer.json()) as { token: string };
  const headers = { authorization: `Bearer ${token}` };
  return {
    headers,
    async call(method, path, body) {
      const init = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(url + path, { method, headers: { ...json, ...headers }, ...init });
      if (!response.ok) throw new Error(`${response.status} for ${method} ${path}`);
      const text = await response.text();
      return text === '' ? null : JSON.parse(text);
    },
  };
}
