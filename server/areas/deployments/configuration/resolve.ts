import {
  type Configuration,
  ConfigurationError,
  type FunctionSettings,
  type RuntimeName,
} from '@mainstay/config';
import { RE2JS } from 're2js';
import { globMatcher } from '#core/glob.ts';
import { type AssetFolder, type Framework, frameworks, type Output, usualEntries } from './frameworks.ts';
import { listFiles, type Project } from './project.ts';
import { type FoundConfiguration, isInside } from './read.ts';
import { unheeded } from './unheeded.ts';

/** What a deployment is made of, from its configuration, its framework and the defaults. */
export interface Resolved {
  /** Slug, or null for a project of no known framework. */
  framework: string | null;
  /** Run in order in the project's folder; empty: there is nothing to build. */
  commands: readonly string[];
  buildEnv: Readonly<Record<string, string>>;
  env: Readonly<Record<string, string>>;
  assets: readonly AssetFolder[];
  functions: readonly ResolvedFunction[];
  routes: NonNullable<Configuration['routes']>;
  images: Configuration['images'];
  services: Configuration['services'];
  regions: readonly string[];
  /** For the log. */
  notes: readonly string[];
  warnings: readonly string[];
}

export interface ResolvedFunction {
  /** The file, relative to the project. */
  path: string;
  memoryMegabytes: number;
  maxDurationSeconds: number;
  runtime: RuntimeName;
  /** By the configuration; else it is a default. */
  isRuntimeNamed: boolean;
  streaming: boolean;
  schedule: string | null;
  symlinks: Readonly<Record<string, string>>;
  includeFiles: readonly string[];
  excludeFiles: readonly string[];
  /** Packed whole, and nothing else. */
  packageFolder: string | null;
}

const maxFiles = 50_000;
const defaults = { memory: 128, max_duration: 30, runtime: 'node-20' } as const;
const frameworkRuntime: RuntimeName = 'node-22';

/** Before the build: what is to be run. After it, `isBuilt`: what has come of it, and mistakes about files that are not there. */
export async function resolve(
  project: Project,
  found: FoundConfiguration | null,
  { isBuilt }: { isBuilt: boolean },
): Promise<Resolved> {
  const configuration = found?.configuration ?? { version: 4 as const };
  const framework = detect(project);
  const base = {
    framework: framework?.slug ?? null,
    commands: commandsOf(project, configuration, framework, await installCommand(project)),
    buildEnv: framework?.buildEnv ?? {},
    env: { ...framework?.env, ...configuration.env },
    routes: configuration.routes ?? [],
    images: configuration.images,
    services: configuration.services,
    regions: configuration.regions ?? [],
    notes: whereFrom(found, framework),
    warnings: [...(found?.warnings ?? []), ...unheeded(configuration)],
  };
  const hasOwn = Object.keys(configuration.functions ?? {}).length > 0;
  if (!isBuilt) return { ...base, assets: [], functions: [] };

  const ownFunctions = hasOwn ? await functionsOf(project, configuration, found?.file ?? '') : [];
  const ownAssets = configuration.assets
    ? [{ folder: configuration.assets.replace(/^\.\/|\/+$/g, '') || '.' }]
    : [];
  for (const { folder } of ownAssets)
    if (!(await project.hasFolder(folder)))
      throw new ConfigurationError(found?.file ?? '', [
        `assets names "${folder}", which is no folder after the build`,
      ]);
  const output = await outputOf(project, framework, ownFunctions.length > 0 || ownAssets.length > 0);
  const assets = ownAssets.length > 0 ? ownAssets : (output?.assets ?? []);
  const functions = hasOwn ? ownFunctions : entryFunction(framework, output);
  const routes = base.routes.length > 0 ? base.routes : routesTo(hasOwn ? [] : functions);
  return { ...base, assets, functions, routes };
}

function whereFrom(found: FoundConfiguration | null, framework: Framework | null): string[] {
  const parts = [
    found ? `Configuration: ${found.file}.` : 'No configuration file; defaults are used.',
    framework ? `Framework: ${framework.name}.` : '',
  ];
  return parts.filter((part) => part !== '');
}

function detect({ manifest }: Project): Framework | null {
  const matching = frameworks.filter((framework) => manifest?.dependencies.has(framework.package));
  return matching.sort((a, b) => b.priority - a.priority)[0] ?? null;
}

/** Development dependencies too, whatever NODE_ENV says, and those of a workspace's root: builds are made with them. */
const npmOptions = '--include=dev --include-workspace-root --no-audit --no-fund';
const lockFiles: readonly [file: string, command: string][] = [
  ['bun.lock', 'bun install --frozen-lockfile'],
  ['bun.lockb', 'bun install --frozen-lockfile'],
  ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile --prod=false'],
  ['yarn.lock', 'yarn install --frozen-lockfile --production=false'],
  ['package-lock.json', `npm ci ${npmOptions}`],
];

/** The project's own lock file, else that of its workspace: package managers find the workspace from inside by themselves. */
async function installCommand(project: Project): Promise<string | null> {
  for (const place of [project, project.workspace])
    for (const [file, command] of lockFiles) if (await place?.hasFile(file)) return command;
  const wanted = (project.manifest?.dependencies.size ?? 0) > 0;
  return wanted ? `npm install ${npmOptions}` : null;
}

function commandsOf(
  { manifest }: Project,
  { build_commands: own }: Configuration,
  framework: Framework | null,
  install: string | null,
): string[] {
  const finish = framework?.finish ?? [];
  if (own && own.length > 0) return [...own, ...finish];
  const installing = install ? [install] : [];
  if (!framework) return installing;
  // The project's own build script knows more than the framework's command.
  const script = framework.commands.length > 0 && manifest?.scripts['build'] !== undefined;
  return [...installing, ...(script ? ['npm run build'] : framework.commands), ...finish];
}

async function outputOf(
  project: Project,
  framework: Framework | null,
  hasOwn: boolean,
): Promise<Output | null> {
  if (!framework) return hasOwn ? null : plainFolder(project);
  for (const output of framework.outputs) {
    const entry = await entryOf(project, output);
    if (output.entry !== undefined && entry === undefined) continue;
    const assets: AssetFolder[] = [];
    for (const asset of output.assets ?? []) if (await project.hasFolder(asset.folder)) assets.push(asset);
    if (!entry && assets.length === 0) continue;
    return { ...output, ...(entry ? { entry } : {}), assets };
  }
  if (hasOwn) return null;
  throw new ConfigurationError('package.json', [
    `The build of ${framework.name} left no output. ${framework.remedy}`,
  ]);
}

async function entryOf(project: Project, { entry, packageFolder }: Output): Promise<string | undefined> {
  if (entry === undefined) return undefined;
  if (entry === 'main') return mainEntry(project);
  if (await project.hasFile(entry)) return entry;
  if (packageFolder === undefined) return undefined;
  // What gathers the files of a monorepo keeps the folders that lie above the project.
  const rest = entry.slice(packageFolder.length + 1);
  const above = project.rootDirectory.split('/').filter(Boolean);
  for (let at = 0; at < above.length; at++) {
    const deeper = [packageFolder, ...above.slice(at), rest].join('/');
    if (await project.hasFile(deeper)) return deeper;
  }
  return undefined;
}

async function plainFolder(project: Project): Promise<Output> {
  for (const folder of ['.', 'public', 'dist', 'build', 'out'])
    if (await project.hasFile(folder === '.' ? 'index.html' : `${folder}/index.html`))
      return { assets: [{ folder }] };
  const entry = project.manifest ? await mainEntry(project) : undefined;
  if (entry) return { entry };
  throw new ConfigurationError('The project', [
    'has no configuration file, no known framework and no index.html. Add a mainstay.yaml that names its "assets" or "functions".',
  ]);
}

const scriptRunners = new Set(['node', 'bun', 'tsx', 'ts-node']);

async function mainEntry({ manifest, hasFile }: Project): Promise<string | undefined> {
  const words = manifest?.scripts['start']?.trim().split(/\s+/) ?? [];
  const started = scriptRunners.has(words[0] ?? '')
    ? words.slice(words[1] === 'run' ? 2 : 1).find((word) => !word.startsWith('-'))
    : undefined;
  for (const candidate of [manifest?.main, started, ...usualEntries]) {
    const name = candidate?.replace(/^\.\//, '');
    if (name && isInside(name) && (await hasFile(name))) return name;
  }
  return undefined;
}

function entryFunction(framework: Framework | null, output: Output | null): ResolvedFunction[] {
  if (!output?.entry) return [];
  const runtime = framework?.slug === 'elysia' ? 'bun-1' : frameworkRuntime;
  const settings = { memory: output.memory ?? 256, runtime } as const;
  const resolved = withDefaults(output.entry, settings);
  return [{ ...resolved, isRuntimeNamed: false, packageFolder: output.packageFolder ?? null }];
}

function routesTo(functions: readonly ResolvedFunction[]): NonNullable<Configuration['routes']> {
  const [only] = functions;
  return only ? [{ source: '/*', destination: only.path }] : [];
}

function many(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

function withDefaults(path: string, settings: FunctionSettings): ResolvedFunction {
  const runtime = settings.runtime ?? defaults.runtime;
  return {
    path,
    memoryMegabytes: settings.memory ?? defaults.memory,
    maxDurationSeconds: settings.max_duration ?? defaults.max_duration,
    runtime,
    isRuntimeNamed: settings.runtime !== undefined,
    streaming: settings.streaming ?? !runtime.startsWith('php-'),
    schedule: settings.schedule ?? null,
    symlinks: settings.symlinks ?? {},
    includeFiles: many(settings.includeFiles),
    excludeFiles: many(settings.excludeFiles),
    packageFolder: null,
  };
}

/** Each file that a pattern names, with the settings of all patterns that match it: later ones win, setting by setting. */
async function functionsOf(
  project: Project,
  { functions }: Configuration,
  file: string,
): Promise<ResolvedFunction[]> {
  const files = await listFiles(project.folder, maxFiles);
  const found = new Map<string, FunctionSettings>();
  const mistakes: string[] = [];
  for (const [pattern, settings] of Object.entries(functions ?? {})) {
    const matches = fileMatcher(pattern);
    const named = files.filter(matches);
    if (named.length === 0)
      mistakes.push(`functions[${JSON.stringify(pattern)}] matches no file of the project`);
    for (const name of named) found.set(name, { ...found.get(name), ...settings });
  }
  if (mistakes.length > 0) throw new ConfigurationError(file, mistakes);
  return [...found].map(([name, settings]) => withDefaults(name, settings));
}

/** A literal name, else a glob, else an expression for the whole name. */
function fileMatcher(pattern: string): (name: string) => boolean {
  const name = pattern.replace(/^\.\//, '');
  const glob = globMatcher(name);
  let expression: RE2JS | null = null;
  try {
    expression = RE2JS.compile(RE2JS.translateRegExp(name));
  } catch {
    // No expression either: then it is a literal.
  }
  return (file) => file === name || glob(file) || (expression?.matches(file) ?? false);
}
