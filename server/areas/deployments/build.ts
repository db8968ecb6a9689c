import { createWriteStream } from 'node:fs';
import { mkdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Blobs } from '#core/blobs.ts';
import { counted } from '#core/counted.ts';
import { RunFailed, type Runner } from '#core/runner.ts';
import { type ArchiveLimits, checkArchive } from './archive/check.ts';
import { extractArchive } from './archive/extract.ts';
import { openProject, type Project } from './configuration/project.ts';
import { type FoundConfiguration, readConfiguration } from './configuration/read.ts';
import { type Resolved, resolve } from './configuration/resolve.ts';
import type { DeploymentLog } from './deployment-log.ts';

/** Why a deployment fails, in a sentence for its owner. */
export class BuildFailed extends Error {
  override name = 'BuildFailed';
}

export interface Sources {
  /** The unpacked archive, absolute. */
  folder: string;
  /** The project in it, relative. */
  rootDirectory: string;
  project: Project;
  configuration: FoundConfiguration | null;
}

interface Deps {
  blobs: Blobs;
  runner: Runner | null;
  log: DeploymentLog;
  signal: AbortSignal;
}

/** Puts the archive together, checks it, unpacks it and reads its configuration. */
export async function unpackSources(
  { blobs, runner, log, signal }: Deps,
  options: {
    parts: readonly string[];
    workFolder: string;
    rootDirectory: string | null;
    limits: ArchiveLimits;
  },
): Promise<Sources> {
  const { parts, workFolder, limits } = options;
  await rm(workFolder, { recursive: true, force: true });
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  const file = path.join(workFolder, 'archive.zip');
  async function* content() {
    for (const part of parts) yield* await blobs.stream(part, { start: 0, end: Number.MAX_SAFE_INTEGER });
  }
  await pipeline(Readable.from(content()), createWriteStream(file), { signal });
  const folder = path.join(workFolder, 'project');
  {
    await using archive = await checkArchive(file, limits);
    log.info(`Archive: ${counted(archive.entries.length, 'entry', 'entries')}.`);
    await extractArchive(archive, folder, signal);
  }
  await rm(file);
  const wanted = options.rootDirectory ?? '';
  const hasRoot = wanted !== '' && (await (await openProject(folder)).hasFolder(wanted));
  const rootDirectory = hasRoot ? wanted : '';
  if (hasRoot) log.info(`Root directory: ${wanted}.`);
  const project = await openProject(folder, rootDirectory);
  const evaluate = (name: string) => evaluateModule({ runner, signal }, { folder, rootDirectory, name });
  const configuration = await readConfiguration(project.folder, evaluate);
  return { folder, rootDirectory, project, configuration };
}

const configMemory = 512 * 1024 ** 2;
const configDisk = 256 * 1024 ** 2;
const configSeconds = 60;
/** Its output is told apart from what the module itself prints. */
const marker = '\u0001mainstay-configuration\u0001';

/** A configuration that is a program is evaluated where programs of users belong. */
async function evaluateModule(
  { runner, signal }: { runner: Runner | null; signal: AbortSignal },
  { folder, rootDirectory, name }: { folder: string; rootDirectory: string; name: string },
): Promise<string> {
  if (!runner) throw new BuildFailed(`${name} is a program, and this instance runs none: use mainstay.yaml.`);
  const script =
    `import(process.argv[1]).then((m) => console.log(${JSON.stringify(marker)} + JSON.stringify(m.default?.default ?? m.default ?? m)))` +
    '.catch((e) => { console.error(e?.stack ?? e); process.exit(1); })';
  let found = '';
  const printed: string[] = [];
  const code = await runner.run(
    {
      ...{ folder, workingFolder: rootDirectory, memoryBytes: configMemory },
      ...{ cpuPercent: 100, diskBytes: configDisk },
      command: `node -e ${quoted(script)} ${quoted(`./${name}`)}`,
      env: {},
      onLine: (line) => {
        if (line.startsWith(marker)) found = line.slice(marker.length);
        else if (printed.length < 20) printed.push(line);
      },
    },
    AbortSignal.any([signal, AbortSignal.timeout(configSeconds * 1000)]),
  );
  if (code !== 0 || found === '')
    throw new BuildFailed(`${name} could not be evaluated: ${printed.join('\n')}`);
  return found;
}

/** One word for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Runs the commands in order; the first that fails ends the build. */
export async function runCommands(
  { runner, log, signal }: Deps,
  sources: Sources,
  resolved: Resolved,
  options: {
    env: Readonly<Record<string, string>>;
    memoryBytes: number;
    cpuPercent: number;
    diskBytes: number;
    seconds: number;
    cacheFolder: string | undefined;
    registry: URL | undefined;
  },
): Promise<void> {
  if (resolved.commands.length === 0) return;
  if (!runner)
    throw new BuildFailed(
      'This instance runs no builds: bubblewrap is missing, or MAINSTAY_RUNNER is none. Deploy the built files with "prebuilt".',
    );
  for (const missing of runner.limits.missing) log.add('WARN', `Not enforced on this machine: ${missing}.`);
  const deadline = AbortSignal.timeout(options.seconds * 1000);
  for (const command of resolved.commands) {
    log.info(`$ ${command}`);
    try {
      const code = await runner.run(
        {
          ...{ folder: sources.folder, workingFolder: sources.rootDirectory, command },
          memoryBytes: options.memoryBytes,
          cpuPercent: options.cpuPercent,
          diskBytes: options.diskBytes,
          cacheFolder: options.cacheFolder,
          registry: options.registry,
          env: { CI: '1', ...resolved.buildEnv, ...options.env },
          onLine: (line, stream) => log.add(stream === 'stderr' ? 'WARN' : 'INFO', line),
        },
        AbortSignal.any([signal, deadline]),
      );
      if (code !== 0) throw new BuildFailed(`The command "${command}" ended with exit code ${code}.`);
    } catch (error) {
      if (error instanceof RunFailed) throw new BuildFailed(error.message, { cause: error });
      if (deadline.aborted && !signal.aborted)
        throw new BuildFailed(`The build took longer than ${options.seconds} s and was ended.`);
      throw error;
    }
  }
}

/** What the configuration says now that the build is done. */
export async function resolveBuilt(sources: Sources): Promise<Resolved> {
  await placeInside(sources, '');
  return resolve(sources.project, sources.configuration, { isBuilt: true });
}

/**
 * The absolute path of a folder of the project. A build may have put a link there, which would lead to files of this machine:
 * the folder is read outside of the sandbox.
 */
export async function placeInside({ folder, rootDirectory }: Sources, name: string): Promise<string> {
  const wanted = path.join(await realpath(folder), rootDirectory, name);
  const found = await realpath(wanted).catch(() => null);
  if (found !== wanted)
    throw new BuildFailed(`The build left a link in the place of ${name || 'the root directory'}.`);
  return wanted;
}
