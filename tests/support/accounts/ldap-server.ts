// A directory that speaks real LDAP on its own port. It refuses as OpenLDAP and Active Directory do.
import { readFileSync } from 'node:fs';
import type { AddressInfo, Server, Socket } from 'node:net';
import { join } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import ldap from 'ldapjs';

export const BASE = 'ou=people,dc=example,dc=com';
const SUFFIX = 'dc=example,dc=com';
const READER = { dn: `cn=reader,${SUFFIX}`, password: 'let me search' };
const START_TLS = '1.3.6.1.4.1.1466.20037';

interface Filter {
  type: string;
  attribute?: string;
  /** As it is written in a filter. */
  value?: string;
  filters?: Filter[];
}
/** The parts of a call that are used here; the library's types leave them open. */
interface Call {
  dn: unknown;
  credentials: string;
  filter: Filter;
  connection: Socket;
}
interface Reply {
  attributes: string[];
  diagnosticMessage: string;
  end(status?: number): void;
  send(entry: object): void;
}
type Next = (error?: Error) => void;

const fixtures = join(import.meta.dirname, '../../fixtures/directory');
export const CERTIFICATE_PATH = join(fixtures, 'certificate.pem');
const certificate = readFileSync(CERTIFICATE_PATH, 'utf8');
const key = readFileSync(join(fixtures, 'key.pem'), 'utf8');

interface DirectoryPerson {
  password: string;
  attributes: Record<string, string | string[]>;
  /** What a bind with the right password is told instead: a result code and its words. */
  refusal?: [code: number, words: string];
}

export interface LdapServer {
  url: string;
  /** The environment that makes Parley use it, by user names. */
  env: Record<string, string>;
  /** By their names below `BASE`, such as `uid=alice`. */
  people: Map<string, DirectoryPerson>;
  /** The names of all binds, and the filters of all searches. */
  binds: string[];
  filters: string[];
  /** How many entries a search gives at most; it then says that there are more. */
  limit: number;
  /** Ends the connection in place of the answer to STARTTLS' next words. */
  dropsAfterTls: boolean;
  /** Whether a connection was encrypted when a password was sent. */
  wasClear: boolean;
  close(): Promise<void>;
}

export async function startLdapServer({ isTls = false } = {}): Promise<LdapServer> {
  const server = ldap.createServer(isTls ? { certificate, key } : {});
  const sockets = new Set<Socket>();
  const state: LdapServer = {
    url: '',
    env: {},
    people: new Map(),
    binds: [],
    filters: [],
    limit: Infinity,
    dropsAfterTls: false,
    wasClear: false,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  // Its types leave out the server of Node within it, whose sockets outlive `close`.
  const plain = (server as unknown as { server: Server }).server;
  plain.on('connection', (socket: Socket) => void sockets.add(socket.on('error', () => undefined)));

  server.bind(SUFFIX, (request: Call, response: Reply, next: Next) => {
    const dn = nameOf(request);
    state.binds.push(dn);
    if (!(request.connection instanceof TLSSocket)) state.wasClear = true;
    // Anonymous: it succeeds, as the protocol has it.
    if (request.credentials === '' || (dn === READER.dn && request.credentials === READER.password)) return end();
    const person = state.people.get(dn.replace(`,${BASE}`, ''));
    if (!person || person.password !== request.credentials) return end(49, activeDirectory('52e'));
    return person.refusal ? end(...person.refusal) : end();

    function end(status = 0, words = ''): void {
      response.diagnosticMessage = words;
      response.end(status);
      next();
    }
  });

  server.search(SUFFIX, (request: Call, response: Reply, next: Next) => {
    state.filters.push(String(request.filter));
    const found = [...state.people].filter(([, { attributes }]) => fits(request.filter, attributes));
    // The library would leave out those whose names have capitals.
    response.attributes = [];
    for (const [name, { attributes }] of found.slice(0, state.limit))
      response.send({ dn: `${name},${BASE}`, attributes: structuredClone(attributes) });
    response.end(found.length > state.limit ? 4 : 0);
    return next();
  });

  server.exop(START_TLS, ({ connection }: Call, response: Reply, next: Next) => {
    response.end();
    connection.removeAllListeners('data');
    const secure = new TLSSocket(connection, {
      isServer: true,
      secureContext: createSecureContext({ cert: certificate, key }),
    });
    secure.on('error', () => undefined);
    if (state.dropsAfterTls) secure.once('secure', () => connection.destroy());
    else plain.emit('connection', secure);
    return next();
  });

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = plain.address() as AddressInfo;
  state.url = `${isTls ? 'ldaps' : 'ldap'}://localhost:${port}`;
  state.env = {
    LDAP_URL: state.url,
    LDAP_BIND_DN: READER.dn,
    LDAP_BIND_CREDENTIALS: READER.password,
    LDAP_USER_SEARCH_BASE: BASE,
    LDAP_SEARCH_FILTER: 'uid={{username}}',
    LDAP_LOGIN_USES_USERNAME: 'true',
  };
  return state;
}

/** What Active Directory says: the code in its words is the reason. */
export function activeDirectory(code: string): string {
  return `80090308: LdapErr: DSID-0C09050F, comment: AcceptSecurityContext error, data ${code}, v4563`;
}

function nameOf(request: { dn: unknown }): string {
  return String(request.dn).replace(/\s*,\s*/g, ',');
}

/** Values are the same in either case, as those of most attributes. */
function fits(
  { type, attribute = '', value = '', filters = [] }: Filter,
  attributes: DirectoryPerson['attributes'],
): boolean {
  const values = [inLowerCase(attributes)[attribute.toLowerCase()] ?? []].flat();
  const wanted = value.replace(/(?:\\[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('\\', ''), 'hex').toString());
  if (type === 'AndFilter') return filters.every((one) => fits(one, attributes));
  if (type === 'OrFilter') return filters.some((one) => fits(one, attributes));
  if (type === 'PresenceFilter') return values.length > 0;
  return type === 'EqualityFilter' && values.some((one) => one.toLowerCase() === wanted.toLowerCase());
}

/** As the library compares the names of attributes. */
function inLowerCase(attributes: DirectoryPerson['attributes']): DirectoryPerson['attributes'] {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name.toLowerCase(), value]));
}
