import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { ConfigurationError, checkConfiguration } from './check.ts';
import { configurationFileNames, isModule } from './names.ts';
import type { Configuration } from './types.ts';

const maxBytes = 256 * 1024;

/** How what is not JSON is read: whoever loads brings it, so that this package depends on none. */
export interface Evaluate {
  /** Runs a module of the project and returns its default export. */
  module(file: string): Promise<unknown>;
  /** Parses YAML; throws a `ConfigurationError`, or any error, whose message is told. */
  yaml(text: string, file: string): unknown | Promise<unknown>;
}

export interface LoadedConfiguration {
  file: string;
  configuration: Configuration;
}

/** The name of the first configuration file of the project's folder; null where it has none. */
export async function findConfiguration(folder: string): Promise<string | null> {
  for (const file of configurationFileNames) {
    const found = await stat(path.join(folder, file)).catch(() => null);
    if (!found?.isFile()) continue;
    if (found.size > maxBytes) throw new ConfigurationError(file, [`is larger than ${maxBytes / 1024} KiB`]);
    return file;
  }
  return null;
}

/** Reads and checks the configuration of the project; null where it has none. Throws `ConfigurationError`. */
export async function loadConfiguration(
  folder: string,
  evaluate: Evaluate,
): Promise<LoadedConfiguration | null> {
  const file = await findConfiguration(folder);
  if (file === null) return null;
  const value = isModule(file)
    ? await evaluate.module(file)
    : await parse(file, await readFile(path.join(folder, file), 'utf8'), evaluate);
  return { file, configuration: checkConfiguration(file, value) };
}

async function parse(file: string, text: string, evaluate: Evaluate): Promise<unknown> {
  if (text.trim() === '') throw new ConfigurationError(file, ['is empty']);
  if (!file.endsWith('.json')) {
    try {
      return await evaluate.yaml(text, file);
    } catch (error) {
      if (error instanceof ConfigurationError) throw error;
      throw new ConfigurationError(file, [(error as Error).message]);
    }
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ConfigurationError(file, [`is no valid JSON: ${(error as Error).message}`]);
  }
}
