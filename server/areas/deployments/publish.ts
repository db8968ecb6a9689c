import path from 'node:path';
import { chooseRuntime } from '#areas/functions/service.ts';
import { type Blobs, newBlobName } from '#core/blobs.ts';
import type { Clock } from '#core/clock.ts';
import { counted } from '#core/counted.ts';
import type { Db } from '#core/db.ts';
import type { Runner } from '#core/runner.ts';
import { serviceKinds } from '#core/service-engine.ts';
import { type Manifest, type PackagedFunction, readManifest } from './artefact.ts';
import { writeAssets } from './assets.ts';
import { holdBlobs } from './blob-store.ts';
import { BuildFailed, placeInside, type Sources } from './build.ts';
import type { Resolved, ResolvedFunction } from './configuration/resolve.ts';
import type { DeploymentLog } from './deployment-log.ts';
import { filesOf, withLinks } from './package-files.ts';
import { packFolder } from './packages.ts';
import { type DeploymentRow, lastArtefact, update } from './store.ts';

interface Deps {
  db: Db;
  blobs: Blobs;
  clock: Clock;
  runner: Runner | null;
  log: DeploymentLog;
}

/** Files, packages and the manifest into blobs, then the rows that hold them. */
export async function publish(
  deps: Deps,
  row: DeploymentRow,
  sources: Sources,
  resolved: Resolved,
): Promise<Manifest> {
  const { db, blobs, clock, log } = deps;
  const before = await lastArtefact(db, row.application_id, row.id);
  const previous = before?.artefact
    ? await readManifest(blobs, before.artefact).then(
        ({ manifest }) => manifest,
        () => null,
      )
    : null;
  const names = new Set(resolved.functions.map((one) => one.path));
  const assets = await writeAssets(
    { blobs, clock, previous },
    sources.project.folder,
    resolved.assets,
    names,
  );
  const count = Object.keys(assets.files).length;
  if (count > 0)
    log.info(
      `Published ${counted(count, 'file')} (${counted(assets.bytes, 'byte')}), ${assets.reused} of them unchanged.`,
    );
  const { functions, packages } = await packFunctions(deps, sources, resolved);
  const manifest: Manifest = {
    version: 1,
    files: assets.files,
    functions,
    routes: resolved.routes as Manifest['routes'],
    assetFolders: resolved.assets.map(({ folder, prefix = '' }) => ({ folder, prefix })),
    env: resolved.env,
    images: resolved.images ?? null,
    services: resolved.services ?? null,
  };
  const artefact = newBlobName(clock.now());
  await blobs.put(artefact, Buffer.from(JSON.stringify(manifest)));
  const summary = {
    framework: resolved.framework,
    files: count,
    bytes: assets.bytes,
    functions: functions.map(({ name, memoryMegabytes, maxDurationSeconds }) => ({
      ...{ name, memoryMegabytes, maxDurationSeconds },
    })),
    routes: resolved.routes.length,
  };
  await db.write(async (tx) => {
    await holdBlobs(tx, row.id, [artefact, ...assets.blobs, ...packages]);
    await update(tx, row.id, {
      ...{ artefact, summary: JSON.stringify(summary), updated_at: clock.now() },
      scheduled: functions.some(({ schedule }) => schedule !== null) ? 1 : null,
    });
  });
  return manifest;
}

/** Functions that take the same files share a package. */
async function packFunctions(
  deps: Deps,
  sources: Sources,
  resolved: Resolved,
): Promise<{ functions: PackagedFunction[]; packages: string[] }> {
  const packages = new Map<string, { blob: string; size: number }>();
  const functions: PackagedFunction[] = [];
  for (const one of resolved.functions) {
    const runtime = runtimeOf(deps, one);
    const folder = one.packageFolder ?? '';
    const root = folder === '' ? sources.rootDirectory : '';
    const packed = await packFunction(deps, sources, one, packages);
    functions.push({
      ...{ name: one.path, package: packed.blob, workingFolder: root, runtime },
      entry: folder === '' ? path.posix.join(root, one.path) : path.posix.relative(folder, one.path),
      // What a server framework needs before it answers anything.
      memoryMegabytes: Math.max(256, one.memoryMegabytes),
      maxDurationSeconds: one.maxDurationSeconds,
      schedule: one.schedule,
      services: serviceKinds.filter((kind) => resolved.services?.[kind] !== undefined),
      packageBytes: packed.size,
    });
  }
  return { functions, packages: [...packages.values()].map(({ blob }) => blob) };
}

async function packFunction(
  { blobs, clock, log }: Deps,
  sources: Sources,
  wanted: ResolvedFunction,
  packages: Map<string, { blob: string; size: number }>,
): Promise<{ blob: string; size: number }> {
  const folder = wanted.packageFolder ?? '';
  const whole = folder === '' ? sources.folder : await placeInside(sources, folder);
  const { rootDirectory: root } = sources;
  const { symlinks, includeFiles, excludeFiles, path: own } = wanted;
  const hasOwn = excludeFiles.length > 0 || Object.keys(symlinks).length > 0;
  const key = hasOwn ? JSON.stringify([whole, symlinks, includeFiles, excludeFiles, own]) : whole;
  const known = packages.get(key);
  if (known) return known;
  const packed = hasOwn
    ? await withLinks(whole, root, wanted, async () => {
        const names = await filesOf(whole, root, wanted);
        if (names)
          log.info(
            `${own} is packed with ${counted(names.length, 'file or folder', 'files and folders')} of the project.`,
          );
        return packFolder(blobs, clock, whole, names);
      })
    : await packFolder(blobs, clock, whole);
  packages.set(key, packed);
  return packed;
}

function runtimeOf({ runner, log }: Deps, resolved: ResolvedFunction): string {
  const { path: name, runtime: wanted, isRuntimeNamed } = resolved;
  // Nothing runs on this instance; what is deployed may be served by another one.
  if (!runner) return wanted;
  const runtime = chooseRuntime(wanted, runner.runtimes);
  if (runtime === null) {
    const installed = runner.runtimes.join(', ');
    throw new BuildFailed(
      `${name} needs the runtime ${wanted}, which is not installed on this instance. Installed: ${installed}.`,
    );
  }
  if (runtime !== wanted && isRuntimeNamed)
    log.add('WARN', `${name} runs on ${runtime}: ${wanted} is not installed.`);
  return runtime;
}
