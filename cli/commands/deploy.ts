import path from 'node:path';
import type { Client } from '@mainstay/sdk';
import { collectFiles } from '../archive/collect.ts';
import { uploadArchive } from '../archive/upload.ts';
import { zip } from '../archive/zip.ts';
import { applicationId, organization } from '../core/choose.ts';
import { readConfiguration } from '../core/configuration.ts';
import type { Context } from '../core/context.ts';
import { Failure, wrongUsage } from '../core/failure.ts';
import { followDeployment } from '../core/follow.ts';
import { gitState } from '../core/git.ts';
import { findLink, writeLink } from '../core/project.ts';
import type { Run } from '../core/run.ts';
import { bytes, counted } from '../core/text.ts';
import type { deploy } from '../descriptions/deploy.ts';

export const run: Run<typeof deploy> = async (context, { arguments: given, options }) => {
  const { out, signal } = context;
  if (options.prod && options.env)
    throw wrongUsage('--prod and --env select two environments.', 'Use only one of them.');
  const asked = path.resolve(context.cwd, given.folder ?? '.');
  const linkedAt = given.folder === undefined ? (await findLink(asked))?.folder : undefined;
  const folder = linkedAt ?? asked;
  const client = await context.client();
  const configuration = await readConfiguration(folder);
  const reading = context.progress(`Reading ${folder}`);
  const files = await collectFiles(folder, { isPrebuilt: options.prebuilt, signal }).finally(() =>
    reading.end(),
  );
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (files.length === 0)
    throw new Failure(`${folder} has no files to deploy.`, {
      next: 'Check .gitignore and .mainstayignore: files that they match are not uploaded.',
    });
  const unfit = files.find(({ name }) => /[\p{Cc}\u2028\u2029]/u.test(name));
  if (unfit)
    throw new Failure(`${JSON.stringify(unfit.name)} has control characters in its name.`, {
      next: 'Rename it, or name it in .mainstayignore: an instance accepts no such file.',
    });
  const environment = options.prod ? 'production' : (options.env ?? 'preview');
  if (options['dry-run']) {
    return out.result(
      { dryRun: true, folder, environment, files: files.map(({ name }) => name), bytes: size },
      () => {
        for (const { name } of files) out.line(name);
        out.note(
          `${counted(files.length, 'file')}, ${bytes(size)} would go to ${environment}. Nothing was sent.`,
        );
      },
    );
  }
  const application = await applicationOf(context, client, folder, options);
  const git = await gitState(folder);
  const made = await client.deployments.create({
    applicationId: application,
    environment,
    ...(options.prebuilt ? { prebuilt: true } : {}),
    ...(git.branch ? { branch: git.branch } : {}),
    ...(git.branch && git.sha ? { gitSource: { ref: git.branch, sha: git.sha } } : {}),
  });
  out.event({ type: 'created', deployment: made }, () =>
    out.note(
      `Deploying ${counted(files.length, 'file')} (${bytes(size)}) to ${out.notePaint.bold(environment)}${configuration ? `, by ${configuration.file}` : ''}`,
    ),
  );
  await send(context, client, made.id, files, size);
  if (options['no-wait']) {
    const deployment = await client.deployments.get(made.id);
    return out.event({ type: 'queued', deployment }, () => {
      out.line(made.id);
      out.note(`  To follow it: mainstay deployments logs ${made.id} --follow`);
    });
  }
  await followDeployment(context, client, made.id);
};

/** The one that is named or linked; a folder that has none becomes one. */
async function applicationOf(
  context: Context,
  client: Client,
  folder: string,
  options: { app: string | undefined; org: string | undefined; name: string | undefined },
): Promise<string> {
  const { out, env } = context;
  const linked = await findLink(folder);
  const isKnown = options.app ?? env['MAINSTAY_APPLICATION_ID'];
  if (isKnown !== undefined) return applicationId(context, isKnown);
  if (linked && options.name === undefined) return linked.link.applicationId;
  const { id: organizationId } = await organization(context, options.org);
  const name = options.name ?? (path.basename(folder) || 'app');
  const app = await client.applications.create({ organizationId, name });
  const { url } = await context.connection();
  await writeLink(folder, { applicationId: app.id, organizationId, url });
  out.note(`Application ${out.notePaint.bold(app.name)} created, and this folder linked to it.`);
  return app.id;
}

async function send(
  context: Context,
  client: Client,
  deploymentId: string,
  files: Awaited<ReturnType<typeof collectFiles>>,
  size: number,
): Promise<void> {
  const { signal } = context;
  const progress = context.progress('Sending');
  let packed = 0;
  let sent = 0;
  const show = () => progress.count(`Sending, ${bytes(sent)} compressed`, packed, size);
  const archive = zip(files, (fileBytes) => {
    packed += fileBytes;
    show();
  });
  try {
    await uploadArchive(
      {
        client,
        deploymentId,
        signal,
        onSent(count) {
          sent += count;
          show();
        },
        onRetry: () => progress.say('Connection lost; retrying the upload of the part'),
      },
      archive,
    );
  } catch (error) {
    // It would wait for its archive for a day.
    if (signal.aborted)
      await client.deployments.cancel(deploymentId, { timeoutMilliseconds: 1500 }).catch(() => {});
    throw error;
  } finally {
    progress.end();
  }
}
