import {
  AnySkillRef,
  ImportSkill,
  PutSkillFile,
  SaveSkill,
  SkillFileRef,
  SkillRef,
} from '@parley/schema/skills/skills';
import * as z from 'zod';
import { withServices } from '../http/trpc.ts';
import type { FileSaverDeps } from '../files/save-file.ts';
import { removeText } from '../texts/remove-text.ts';
import { SKILLS, shareText } from '../texts/texts.ts';
import { listSkills, listVersions, readSkill } from './list-skills.ts';
import { restoreVersion, saveSkill } from './save-skill.ts';
import { putSkillFile, removeSkillFile } from './skill-files.ts';
import { exportSkill, importSkill } from './skill-zip.ts';

const { protectedProcedure, router } = withServices<FileSaverDeps>();

export const skillsRouter = router({
  /** Own and shared ones without their instructions, by name. */
  list: protectedProcedure.query(({ ctx }) => listSkills(ctx.deps.db, ctx.user.id)),

  read: protectedProcedure.input(AnySkillRef).query(({ ctx, input }) => readSkill(ctx.deps.db, ctx.user.id, input)),

  /** Creates a skill, or replaces the one with this id. */
  save: protectedProcedure.input(SaveSkill).mutation(({ ctx, input }) => saveSkill(ctx.deps.db, ctx.user.id, input)),

  putFile: protectedProcedure
    .input(PutSkillFile)
    .mutation(({ ctx, input }) => putSkillFile(ctx.deps, ctx.user.id, input)),

  removeFile: protectedProcedure
    .input(SkillFileRef)
    .mutation(({ ctx, input }) => removeSkillFile(ctx.deps, ctx.user.id, input)),

  importZip: protectedProcedure
    .input(ImportSkill)
    .mutation(({ ctx, input }) => importSkill(ctx.deps, ctx.user.id, input)),

  exportZip: protectedProcedure.input(AnySkillRef).query(({ ctx, input }) => exportSkill(ctx.deps, ctx.user.id, input)),

  /** The newest 20, the newest first. */
  versions: protectedProcedure
    .input(SkillRef)
    .query(({ ctx, input }) => listVersions(ctx.deps.db, ctx.user.id, input.id)),

  /** What a version says becomes the newest one. */
  restoreVersion: protectedProcedure
    .input(SkillRef.extend({ n: z.int().positive() }))
    .mutation(({ ctx, input }) => restoreVersion(ctx.deps.db, ctx.user.id, input.id, input.n)),

  share: protectedProcedure
    .input(SkillRef.extend({ isShared: z.boolean() }))
    .mutation(({ ctx, input }) => shareText(ctx.deps.db, SKILLS, ctx.user.id, input)),

  /** Into the trash; the deletion's id, or null when it was gone. */
  remove: protectedProcedure
    .input(SkillRef)
    .mutation(({ ctx, input }) => removeText(ctx.deps.db, SKILLS, ctx.user.id, input.id)),
});
