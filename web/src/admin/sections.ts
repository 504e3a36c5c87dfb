import type { ParseKeys } from 'i18next';
import type { ComponentType } from 'react';
import { AuditSection } from './audit/audit-section.tsx';
import { GroupsSection } from './groups/groups-section.tsx';
import { OverviewSection } from './overview/overview-section.tsx';
import { ProvidersSection } from './providers/providers-section.tsx';
import { PeopleSection } from './people/people-section.tsx';
import { RetentionSection } from './retention/retention-section.tsx';
import { ToolsSection } from './tools/tools-section.tsx';
import { UsageSection } from './usage/usage-section.tsx';

export const ADMIN_PATH = '/admin';

interface Section {
  /** Its part of the address. */
  name: string;
  title: ParseKeys;
  Section: ComponentType;
}

/** In the order of the list; the first is where the administration opens. */
export const SECTIONS: readonly [Section, ...Section[]] = [
  { name: 'overview', title: 'com_overview', Section: OverviewSection },
  { name: 'providers', title: 'com_admin_providers', Section: ProvidersSection },
  { name: 'tools', title: 'com_tools', Section: ToolsSection },
  { name: 'people', title: 'com_people', Section: PeopleSection },
  { name: 'groups', title: 'com_groups', Section: GroupsSection },
  { name: 'usage', title: 'com_settings_usage', Section: UsageSection },
  { name: 'audit', title: 'com_admin_audit', Section: AuditSection },
  { name: 'retention', title: 'com_retention', Section: RetentionSection },
];
