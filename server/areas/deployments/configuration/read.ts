import { type Configuration, ConfigurationError, loadConfiguration, unknownKeys } from '@mainstay/config';
import { LineCounter, parseDocument } from 'yaml';
import { compileRoutes, RouteError } from '#areas/gateway/service.ts';
import { reservedVariable } from '../variables.ts';
import { parseSchedule, ScheduleError } from './schedule.ts';

/** The file that was read, with what the owner of the deployment should know. */
export interface FoundConfiguration {
  file: string;
  configuration: Configuration;
  warnings: string[];
}

const maxAliases = 100;

/** Runs a module of the project in the sandbox and returns its default export as JSON text. */
export type EvaluateModule = (file: string) => Promise<string>;

/** The first configuration file of the project folder; null where it has none. Throws `ConfigurationError`. */
export async function readConfiguration(
  folder: string,
  evaluate: EvaluateModule,
): Promise<FoundConfiguration | null> {
  const loaded = await loadConfiguration(folder, {
    module: async (file) => parseJson(file, await evaluate(file)),
    yaml: (text, file) => parseYaml(file, text),
  });
  if (!loaded) return null;
  const { file, configuration } = loaded;
  const mistakes = deeperMistakes(configuration);
  if (mistakes.length > 0) throw new ConfigurationError(file, mistakes);
  return { file, configuration, warnings: warningsFor(configuration) };
}

function parseYaml(file: string, text: string): unknown {
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

function warningsFor(configuration: Configuration): string[] {
  const unknown = unknownKeys(configuration);
  return [
    ...unknown.map((key) => `The key "${key}" is not known and has no effect.`),
    ...(configuration.presets ?? []).map(
      (preset) => `The preset ${preset} is not applied: presets are off on this instance.`,
    ),
  ];
}
