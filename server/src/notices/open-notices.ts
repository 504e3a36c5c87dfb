// Opens what tells people of ended answers.
import type { Config } from '../config/config.ts';
import type { Secrets } from '../config/parts/secrets.ts';
import { createEgress } from '../platform/egress.ts';
import type { Mail } from '../platform/mail.ts';
import { createMailRun } from './mail-run.ts';
import { createNotices } from './notices.ts';
import { createPushSender, type PushSender } from './push/send-push.ts';
import { vapidKeys } from './push/vapid.ts';

type From = Omit<Parameters<typeof createNotices>[0], 'push' | 'mailRun'> &
  Pick<Parameters<typeof createPushSender>[0], 'encryption' | 'log'> & {
    config: Config;
    secrets: Pick<Secrets, 'credsKey'>;
    mail: Mail | null;
  };

/** What procedures need of push; null where it is off. */
export type Push = PushSender & { publicKey: string; hosts: readonly string[] };

export function openNotices(from: From) {
  const { config } = from;
  const push = config.push.enabled ? openPush(from, config.push) : null;
  return { push, notices: createNotices({ ...from, push, mailRun: createMailRun(from) }) };
}

function openPush(from: From, { hosts, subject }: Extract<Config['push'], { enabled: true }>): Push {
  const keys = vapidKeys(from.secrets.credsKey);
  const sender = createPushSender({
    ...from,
    hosts,
    appTitle: from.config.startup.appTitle,
    vapid: { ...keys, subject },
    // Of its own: what the operator allows for push is allowed for nothing else.
    egress: createEgress(hosts),
  });
  return { ...sender, publicKey: keys.publicKey, hosts };
}
