import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '../core/failure.ts';
import type { Run } from '../core/run.ts';
import type { unlink } from '../descriptions/apps.ts';

export const run: Run<typeof unlink> = async (context) => {
  const { out } = context;
  const linked = await context.linked();
  if (!linked) throw new Failure('This folder is not linked to an application.', { exit: 'notFound' });
  await rm(path.join(linked.folder, '.mainstay', 'project.json'));
  out.result({ unlinked: linked.folder }, () =>
    out.success(`${linked.folder} is linked to no application now.`),
  );
};
