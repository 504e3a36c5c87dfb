import { atom } from 'jotai';
import { settingAtom } from '../../stored-settings.ts';
import type { SwitchTarget } from './pending-switch.ts';

/**
 * Where a model of another provider is used that is picked in a chat: the switch for modular chat, whose middle state
 * asks. Clients of REST know the switch alone.
 */
export const switchTargetAtom = atom(
  (get): SwitchTarget => (get(settingAtom('modularChat')) ? 'continue' : get(settingAtom('switchingModels'))),
  (_get, set, target: SwitchTarget) => {
    set(settingAtom('modularChat'), target === 'continue');
    set(settingAtom('switchingModels'), target);
  },
);
