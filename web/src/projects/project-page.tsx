import type { Folder } from '@parley/schema/convos/folders';
import { FolderIcon } from '../folders/folder-icon.tsx';
import { PROJECTS_PATH } from '../folders/project-paths.ts';
import { useChangeFolders } from '../folders/use-folders.ts';
import { Page } from '../layout/page/page.tsx';
import { useStartup } from '../startup.ts';
import { Membership } from './sharing/membership.tsx';
import { PresetField } from './preset-field.tsx';
import { ProjectActions } from './project-actions.tsx';
import { ProjectChats } from './project-chats.tsx';
import { ProjectFiles } from './project-files.tsx';
import { ProjectInstructions } from './project-instructions.tsx';
import { ProjectMemories } from './project-memories.tsx';
import { ProjectSharing } from './sharing/project-sharing.tsx';
import { ProjectTools } from './project-tools.tsx';
import { Section } from './section.tsx';
import { SharedFiles } from './sharing/shared-files.tsx';

/** The page of a folder: its chats, and all that answers in them are told. */
export function ProjectPage({ folder }: { folder: Folder }) {
  const { update } = useChangeFolders();
  const { id, name, color, presetId, sharedBy } = folder;
  // A person who only uses a project of somebody else reads what is in it.
  const isFixed = sharedBy?.level === 'use';
  const areToolsOff = useStartup()?.toolsEnabled === false;
  return (
    <Page
      title={name}
      icon={<FolderIcon color={color} />}
      back={{ href: PROJECTS_PATH, label: 'com_projects' }}
      actions={<ProjectActions folder={folder} />}
    >
      <Membership folder={folder} />
      <Section title="com_project_chats">
        <ProjectChats folderId={id} />
      </Section>
      {!isFixed && (
        <Section title="com_ui_folder_instructions" hint="com_project_instructions_hint">
          <ProjectInstructions folder={folder} />
        </Section>
      )}
      <Section title="com_ui_folder_files" hint="com_project_files_hint">
        {sharedBy ? <SharedFiles folder={folder} /> : <ProjectFiles folder={folder} />}
      </Section>
      {!areToolsOff && (
        <Section title="com_tools" hint="com_project_tools_hint">
          <ProjectTools folder={folder} isFixed={isFixed} />
        </Section>
      )}
      <PresetField presetId={presetId} onChoose={(chosen) => void update({ id, presetId: chosen }).catch(() => {})} />
      <Section
        title="com_project_memories"
        hint={sharedBy ? 'com_project_memories_shared' : 'com_project_memories_hint'}
      >
        <ProjectMemories folderId={id} />
      </Section>
      {sharedBy === undefined && (
        <Section title="com_project_share" hint="com_project_share_hint">
          <ProjectSharing folderId={id} />
        </Section>
      )}
    </Page>
  );
}
