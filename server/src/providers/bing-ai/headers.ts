// Request headers of Edge: Bing answers only its own browser.
import { randomUUID } from 'node:crypto';

const VERSION = '120.0.2210.144';

/** The headers of Edge. `cookies` is a whole cookie header, or the value of the sign-in cookie. */
export function edgeHeaders(cookies: string): Record<string, string> {
  return {
    accept: 'application/json',
    'accept-language': 'en-US,en;q=0.9',
    'sec-ch-ua': '"Not_A Brand";v="8", "Chromium";v="120", "Microsoft Edge";v="120"',
    'sec-ch-ua-arch': '"x86"',
    'sec-ch-ua-bitness': '"64"',
    'sec-ch-ua-full-version': `"${VERSION}"`,
    'sec-ch-ua-mobile': '?0',
    'sec-ch-ua-platform': '"Windows"',
    'sec-ch-ua-platform-version': '"15.0.0"',
    'user-agent': `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 Edg/${VERSION}`,
    'x-ms-client-request-id': randomUUID(),
    'x-ms-useragent': 'azsdk-js-api-client-factory/1.0.0-beta.1 core-rest-pipeline/1.12.3 OS/Windows',
    cookie: cookies.includes('=') ? cookies : `_U=${cookies}`,
    referer: 'https://www.bing.com/search?q=Bing+AI&showconv=1&FORM=hpcodx',
  };
}
