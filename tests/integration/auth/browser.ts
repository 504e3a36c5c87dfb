// A browser as the accounts see it: it keeps the cookie and the bearer, and shows its address and headers.
import type { Db } from '@parley/db/client';
import { createDirectoryWatch } from '@parley/server/admin/people/directory-watch';
import { createAuthenticator } from '@parley/server/auth/session/authenticator';
import { createRegistration } from '@parley/server/auth/registration/registration';
import { authRouter } from '@parley/server/auth/router';
import { loadConfig } from '@parley/server/load-config';
import type { Deps } from '@parley/server/services';
import { createSocialAvatars } from '@parley/server/files/social-avatars';
import { createStores } from '@parley/server/files/stores/create-stores';
import { createEgress } from '@parley/server/platform/egress';
import { createEncryption } from '@parley/server/keys/encryption';
import { createMail } from '@parley/server/platform/mail';
import { createOpenCalls } from '@parley/server/http/open-calls';
import { createCallerFactory } from '@parley/server/auth/procedures';
import { errorReason } from '@parley/server/http/trpc';
import { defaultTimings, type Timings } from '@parley/server/config/timings';
import pino from 'pino';
import { createFolder } from '../../support/folders.ts';

export const PASSWORD = 'nine green bottles';

/** Minutes: no window of a limit ends while a test counts in it. */
const MONTH = String(60 * 24 * 30);
const LONG_WINDOWS = { LOGIN_WINDOW: MONTH, REGISTER_WINDOW: MONTH, RESET_WINDOW: MONTH };

/** What accounts need of the server, and the lines it logs. */
export async function createAccounts(db: Db, env: Record<string, string> = {}, timings: Partial<Timings> = {}) {
  const lines: string[] = [];
  const secrets = {
    jwtSecret: 'a secret of the test, long enough',
    refreshSecret: 'another secret of the test, as long',
    credsKey: '0'.repeat(64),
    fingerprint: '0'.repeat(16),
    former: [],
  };
  const config = await loadConfig({ env: { ...LONG_WINDOWS, ...env }, cwd: createFolder() });
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const stores = createStores(config);
  // The images of the fake sites are on this machine, where the guard fetches nothing.
  const egress = createEgress([]);
  const auth = createAuthenticator(db, secrets);
  const accounts: Pick<
    Deps,
    | 'config'
    | 'secrets'
    | 'encryption'
    | 'db'
    | 'log'
    | 'auth'
    | 'mail'
    | 'openCalls'
    | 'socialAvatars'
    | 'registration'
    | 'followRights'
    | 'directoryWatch'
  > = {
    config,
    secrets,
    encryption: createEncryption(secrets.credsKey, []),
    db,
    log,
    auth,
    mail: createMail(config, log),
    openCalls: createOpenCalls(),
    registration: createRegistration({ db, config, changes: { next: async () => 1 } }),
    followRights: async () => {},
    directoryWatch: createDirectoryWatch({ db, config, log, auth, timings: { ...defaultTimings, ...timings } }),
    socialAvatars: createSocialAvatars({ db, stores, config, log, egress, onFault: () => undefined }),
  };
  // The rest of the server plays no part here.
  const deps = accounts as Deps;
  return { deps, lines };
}

const createCaller = createCallerFactory(authRouter);

export function createBrowser(deps: Deps, options: { ip?: string; cookie?: string; headers?: object } = {}) {
  const browser = {
    ip: options.ip ?? '203.0.113.5',
    cookie: options.cookie ?? '',
    token: null as string | null,
    answered: new Headers(),
    /** One request. */
    async api() {
      const headers = new Headers({ ...options.headers, ...(browser.cookie && { cookie: browser.cookie }) });
      const { token } = browser;
      const signedIn = token ? await deps.auth.authenticate(token) : null;
      browser.answered = new Headers();
      const http = { ip: browser.ip, headers, secure: false, setHeader };
      return createCaller({ deps, http, socket: null, token, signedIn });
    },
    async register(name: string) {
      const email = `${name}@example.com`;
      const api = await browser.api();
      const answer = await api.register({ name, email, password: PASSWORD, confirm_password: PASSWORD });
      browser.token = answer.token;
      return answer;
    },
    async login(name: string, password = PASSWORD) {
      const answer = await (await browser.api()).login({ email: `${name}@example.com`, password });
      browser.token = answer.token;
      return answer;
    },
    async refresh() {
      const answer = await (await browser.api()).refresh();
      browser.token = answer?.token ?? null;
      return answer;
    },
    async logout() {
      return (await browser.api()).logout();
    },
    async me() {
      return (await browser.api()).me();
    },
  };

  function setHeader(name: string, value: string) {
    browser.answered.append(name, value);
    if (name !== 'Set-Cookie') return;
    const pair = value.split(';')[0] ?? '';
    browser.cookie = pair === 'refreshToken=' ? '' : pair;
  }

  return browser;
}

/** Why a call was refused. */
export async function reasonOfRefusal(call: Promise<unknown>) {
  try {
    await call;
  } catch (error) {
    return error instanceof Error ? errorReason(error) : null;
  }
  throw new Error('It was not refused');
}
