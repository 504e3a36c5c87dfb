// Tools as their administrator reads of them.
import type { Reason } from '@parley/schema/reasons';
import type { ToolRow, ToolTried } from '@parley/schema/tools/tool-settings';
import type { TFunction } from 'i18next';
import { builtinAbout, builtinLabel } from '../../chat/tools/tool-labels.ts';
import { describePlugin } from '../../plugins/plugin-descriptions.ts';
import { describeChange, describeFailure, type State } from '../providers/describe-provider.ts';

type Named = Pick<ToolRow, 'kind' | 'name' | 'label'>;

export function toolLabel({ kind, name, label }: Named, t: TFunction): string {
  if (name === 'assistants') return t('com_nav_assistants');
  if (name === 'actions') return t('com_tools_source_action');
  if (name === 'skills') return t('com_skills');
  return (kind === 'builtin' && builtinLabel(name, t)) || label;
}

export function toolAbout({ kind, name, description, at }: ToolRow, t: TFunction): string {
  if (name === 'assistants') return t('com_admin_tools_assistants_about');
  if (name === 'actions') return t('com_admin_tools_actions_about');
  if (name === 'skills') return t('com_admin_tools_skills_about');
  if (name === 'file_search') return t('com_admin_tools_file_search_about');
  if (name === 'brave' || name === 'searxng') return t('com_tools_web_search_about');
  if (kind === 'server') return at ?? '';
  return (kind === 'builtin' && builtinAbout(name, t)) || describePlugin({ key: name, description }, t);
}

export function toolState(row: ToolRow, language: string, t: TFunction): State {
  const { state, saved, name, at } = row;
  const from = sourceOf(row, language, t);
  const unreadable = saved?.isUnreadable ? t('com_admin_tools_unreadable') : null;
  switch (state) {
    case 'on':
      return { ...onState(t), sentence: name === 'web_search' && at ? t('com_admin_tools_asks', { 0: at }) : from };
    case 'off':
      return { tone: 'quiet', word: t('com_admin_providers_off'), sentence: from };
    case 'operator_off':
      return { tone: 'quiet', word: t('com_admin_providers_off'), sentence: t('com_admin_tools_operator_off') };
    case 'users_keys':
      return unreadable
        ? { tone: 'bad', word: t('com_admin_tools_not_set_up'), sentence: unreadable }
        : { tone: 'quiet', word: t('com_admin_tools_not_set_up'), sentence: from ?? t('com_admin_tools_users_keys') };
    case 'needs_key':
      return { tone: unreadable ? 'bad' : 'quiet', word: t('com_admin_tools_not_set_up'), sentence: unreadable };
    case 'needs_service':
      return {
        tone: 'quiet',
        word: t('com_admin_tools_not_set_up'),
        sentence: t('com_admin_tools_needs_service'),
      };
    default:
      return state satisfies never;
  }
}

/** Where its key, or all of it, is from. */
function sourceOf({ source, saved }: ToolRow, language: string, t: TFunction): string | null {
  if (source === 'environment') return t('com_admin_providers_from_environment');
  if (source === 'yaml') return t('com_admin_providers_from_yaml');
  return source === 'saved' && saved ? describeChange(saved, language, t) : null;
}

function onState(t: TFunction): Omit<State, 'sentence'> {
  return { tone: 'good', word: t('com_admin_providers_on') };
}

/** What a try has said. */
export function describeToolTry(tried: ToolTried, name: string, hasAddress: boolean, t: TFunction) {
  if (!tried.ok) return { sentence: describeToolFailure(tried.reason, name, hasAddress, t), words: tried.words };
  const { tools } = tried;
  return {
    sentence: t('com_admin_tools_works', { 0: name }),
    words: tools.length > 0 && t('com_admin_tools_found', { 0: tools.join(', ') }),
  };
}

/** Why a try failed. */
function describeToolFailure(reason: Reason, name: string, hasAddress: boolean, t: TFunction): string {
  switch (reason.type) {
    case 'provider_malformed':
      return t(hasAddress ? 'com_admin_tools_malformed' : 'com_admin_tools_malformed_here', { 0: name });
    case 'provider_refused':
      return t('com_admin_tools_refused', { 0: name });
    case 'unauthorized':
      return t('com_admin_tools_locked', { 0: name });
    default:
      return describeFailure(reason, name, t, { hasAddress });
  }
}
