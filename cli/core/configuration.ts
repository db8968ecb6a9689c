import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigurationError, type LoadedConfiguration, loadConfiguration } from '@mainstay/config';
import { Failure } from './failure.ts';

/** A module that this runtime cannot run is left to the instance. */
class NotRunHere extends Error {}

/**
 * The configuration of a project, checked as the instance checks it, so that a slip is told before anything is sent. Null
 * where there is none, or one that only the instance can read.
 */
export async function readConfiguration(folder: string): Promise<LoadedConfiguration | null> {
  try {
    return await loadConfiguration(folder, {
      async module(file) {
        try {
          const loaded = await import(pathToFileURL(path.join(folder, file)).href);
          return loaded.default;
        } catch (error) {
          throw new NotRunHere(file, { cause: error });
        }
      },
      async yaml(text) {
        const { parse } = await import('yaml');
        return parse(text);
      },
    });
  } catch (error) {
    if (error instanceof NotRunHere) return null;
    if (error instanceof ConfigurationError)
      throw new Failure(error.message, { next: 'docs/deployments.md lists the keys.', cause: error });
    throw error;
  }
}
