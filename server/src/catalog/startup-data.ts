import type { StartupConfig } from '@parley/schema/catalog/startup';
import type { Config } from '../config/config.ts';
import { showsBirthdayIcon } from '../config/parts/birthday.ts';
import { hasWebSearch } from '../config/parts/plugins.ts';

interface WhoRegisters {
  /** Without an invitation. */
  isOpen(): Promise<boolean>;
  /** Anyone who registers is the first person here. */
  awaitsFirst(): Promise<boolean>;
}

/** What the app needs before sign-in. */
export async function startupData(config: Config, registration: WhoRegisters): Promise<StartupConfig> {
  const registrationEnabled = await registration.isOpen();
  const showBirthdayIcon = showsBirthdayIcon(config.birthdayIcon, new Date());
  const rare = {
    ...(!config.tools.enabled && { toolsEnabled: false }),
    ...(searchesWeb(config) && { webSearchEnabled: true as const }),
    ...(config.speech.stt && { dictationEnabled: true as const }),
    ...(config.speech.tts && { readingEnabled: true as const }),
    ...(!config.accounts.allowSharedAssistants && { sharedAssistantsEnabled: false }),
    ...(!config.accounts.publicSharedProjects && { publicProjectsEnabled: false as const }),
    ...(!config.accounts.allowApiKeys && { apiKeysEnabled: false as const }),
    ...(!config.accounts.allowSharedLinks && { sharedLinksEnabled: false }),
    ...(config.push.enabled && { pushEnabled: true as const }),
    ...(config.modelSpecs && { modelSpecsEnabled: true as const }),
    ...(!config.accounts.allowPasswordReset && { passwordResetEnabled: false as const }),
    ...(!config.accounts.allowDeletion && { accountDeletionEnabled: false }),
    ...((await registration.awaitsFirst()) && { awaitsFirstPerson: true as const }),
  };
  return { ...structuredClone(config.startup), registrationEnabled, showBirthdayIcon, ...rare } as StartupConfig;
}

function searchesWeb({ tools, plugins }: Config): boolean {
  return tools.enabled && !tools.filter.offTools?.includes('web_search') && hasWebSearch(plugins);
}
