import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { LineCounter, parseDocument } from 'yaml';
import { compileRoutes, RouteError } from '#areas/gateway/service.ts';
import { configurationFiles } from '#core/compatibility.ts';
import { reservedVariable } from '../variables.ts';
import { parseSchedule, ScheduleError } from './schedule.ts';
import { Configuration } from './schema.ts';

/** The file that was read, with what the owner of the deployment should know. */
export interface FoundConfiguration {
  file: string;
  configuration: Configuration;
  warnings: string[];
}

/** Mistakes of the file, each with its place. */
export class ConfigurationError extends Error {
  readonly mistakes: readonly string[];
  constructor(file: string, mistakes: readonly string[]) {
    super(mistakes.map((mistake) => `${file}: ${mistake}`).join('\n'));
    this.name = 'ConfigurationError';
    this.mistakes = mistakes;
  }
}

const moduleEndings = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'];
const textEndings = ['yaml', 'yml', 'json'];
const fileNames = [
  ...configurationFiles.current.flatMap((stem) =>
    [...moduleEndings, ...textEndings].map((ending) => `${stem}.${ending}`),
  ),
  ...configurationFiles.textOnly.flatMap((stem) => textEndings.map((ending) => `${stem}.${ending}`)),
];
const maxBytes = 256 * 1024;
const maxAliases = 100;

/** Runs a module of the project in the sandbox and returns its default export as JSON text. */
export type EvaluateModule = (file: string) => Promise<string>;

/** The first configuration file of the project folder; null where it has none. Throws `ConfigurationError`. */
export async function readConfiguration(
  folder: string,
  evaluate: EvaluateModule,
): Promise<FoundConfiguration | null> {
  for (const file of fileNames) {
    const found = await stat(path.join(folder, file)).catch(() => null);
    if (!found?.isFile()) continue;
    if (found.size > maxBytes) throw new ConfigurationError(file, [`is larger than ${maxBytes / 1024} KiB`]);
    const isModule = moduleEndings.includes(file.slice(file.lastIndexOf('.') + 1));
    const text = isModule ? await evaluate(file) : await readFile(path.join(folder, file), 'utf8');
    return checkConfiguration(file, isModule ? parseJson(file, text) : parseText(file, text));
  }
  return null;
}

function parseText(file: string, text: string): unknown {
  if (text.trim() === '') throw new ConfigurationError(file, ['is empty']);
  if (file.endsWith('.json')) return parseJson(file, text);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, strict: true, uniqueKeys: true });
  const [error] = document.errors;
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw new ConfigurationError(file, [`line ${line}, column ${col}: ${error.message.split('\n')[0]}`]);
  }
  try {
    return document.toJS({ maxAliasCount: maxAliases });
  } catch {
    throw new ConfigurationError(file, [`uses more than ${maxAliases} aliases`]);
  }
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ConfigurationError(file, [`is no valid JSON: ${(error as Error).message}`]);
  }
}

const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true });
// biome-ignore lint/suspicious/noExplicitAny: the package's default export is CommonJS, which its types do not say.
(addFormats as any)(ajv, ['uri']);
const isConfiguration = ajv.compile<Configuration>(Configuration);

/** Checks a parsed file. */
function checkConfiguration(file: string, value: unknown): FoundConfiguration {
  if (!isConfiguration(value)) throw new ConfigurationError(file, mistakesOf(isConfiguration.errors ?? []));
  const mistakes = deeperMistakes(value);
  if (mistakes.length > 0) throw new ConfigurationError(file, mistakes);
  return { file, configuration: value, warnings: warningsFor(value) };
}

function place(pointer: string): string {
  const segments = pointer.split('/').slice(1);
  return segments
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((text, name) => {
      if (/^\d+$/.test(name)) return `${text}[${name}]`;
      if (!/^[A-Za-z_]\w*$/.test(name)) return `${text}[${JSON.stringify(name)}]`;
      return text === '' ? name : `${text}.${name}`;
    }, '');
}

const maxMistakes = 20;

/** A union says one sentence for itself and one for each of its members: only the deepest places are told. */
function mistakesOf(errors: readonly ErrorObject[]): string[] {
  const told = new Map<string, string>();
  for (const error of errors) {
    if (error.keyword === 'anyOf' || error.schema === 'null') continue;
    const at = place(error.instancePath);
    const deeper = errors.some(
      (other) => other !== error && other.instancePath.startsWith(`${error.instancePath}/`),
    );
    if (deeper && error.keyword !== 'required' && error.keyword !== 'additionalProperties') continue;
    if (!told.has(at)) told.set(at, sentence(at, error));
  }
  return [...told.values()].slice(0, maxMistakes);
}

function sentence(at: string, { keyword, params, message = '' }: ErrorObject): string {
  const here = at === '' ? 'the file' : at;
  if (keyword === 'required') return `${here} lacks "${params['missingProperty']}"`;
  if (keyword === 'additionalProperties')
    return `${here} has the unknown key "${params['additionalProperty']}"`;
  if (keyword === 'enum')
    return `${here} must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`;
  if (keyword === 'const') return `${here} must be ${JSON.stringify(params['allowedValue'])}`;
  return `${here} ${message}`;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** What a schema cannot say. */
function deeperMistakes(configuration: Configuration): string[] {
  const mistakes: string[] = [];
  const { assets, env, functions, routes, services } = configuration;
  if (typeof assets === 'string' && !isInside(assets))
    mistakes.push('assets must be a folder of the project, without ".."');
  for (const name of Object.keys(env ?? {})) {
    if (name.includes('=') || /\p{Cc}/u.test(name))
      mistakes.push(`env[${JSON.stringify(name)}] is no name of a variable`);
    else if (reservedVariable(name))
      mistakes.push(`env.${name} is set by the platform and cannot be changed`);
  }
  for (const [pattern, { schedule }] of Object.entries(functions ?? {})) {
    if (schedule === undefined) continue;
    try {
      parseSchedule(schedule);
    } catch (error) {
      if (!(error instanceof ScheduleError)) throw error;
      mistakes.push(`functions[${JSON.stringify(pattern)}].schedule ${error.message}`);
    }
  }
  try {
    compileRoutes((routes ?? []) as Parameters<typeof compileRoutes>[0]);
  } catch (error) {
    if (!(error instanceof RouteError)) throw error;
    mistakes.push(error.message);
  }
  for (const name of Object.keys(services?.storage?.buckets ?? {}))
    if (uuid.test(name)) mistakes.push(`services.storage.buckets["${name}"] has the form of an id`);
  return mistakes;
}

/** A path that stays in the project: relative, with slashes, without `..`. */
export function isInside(place: string): boolean {
  const segments = place.split('/');
  return (
    !place.startsWith('/') &&
    !/^[A-Za-z]:/.test(place) &&
    !/[\\\0]/.test(place) &&
    segments.every((segment) => segment !== '..')
  );
}

const knownKeys = new Set(Object.keys(Configuration.properties));

function warningsFor(configuration: Configuration): string[] {
  const unknown = Object.keys(configuration).filter((key) => !knownKeys.has(key));
  return [
    ...unknown.map((key) => `The key "${key}" is not known and has no effect.`),
    ...(configuration.presets ?? []).map(
      (preset) => `The preset ${preset} is not applied: presets are off on this instance.`,
    ),
  ];
}
