import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Feed } from './declaration.ts';
import type { Found } from './formats/format.ts';
import { takeNames } from './formats/json.ts';
import { parse } from './formats/parse.ts';

/** A text that changes whenever what the feed reads may have: of lists that came with the program. */
export async function localVersion(feed: Feed): Promise<string> {
  const { source } = feed;
  if (source.kind === 'package') {
    const { version } = JSON.parse(await readFile(manifestOf(source.package), 'utf8')) as { version: string };
    return `${source.package}@${version}`;
  }
  if (source.kind === 'url') return source.url;
  const { mtimeMs, size } = await stat(source.file);
  return `${source.file} ${mtimeMs} ${size}`;
}

/** Reads a list that came with the program. */
export async function readLocal(feed: Feed, found: Found): Promise<void> {
  const { source } = feed;
  if (source.kind === 'url') throw new Error(`The feed "${feed.id}" is not local.`);
  if (source.kind === 'package' && source.file === undefined) {
    const loaded = (await import(await entryOf(source.package))) as Record<string, unknown>;
    const module = (loaded['default'] ?? loaded) as Record<string, unknown>;
    const value = source.member === undefined ? module : module[source.member];
    return takeNames(typeof value === 'function' ? value.call(module) : value, found, feed);
  }
  const file =
    source.kind === 'file'
      ? source.file
      : path.join(path.dirname(manifestOf(source.package)), source.file ?? '');
  await parse(createReadStream(file, 'utf8'), feed, found);
}

function manifestOf(name: string): string {
  const manifest = findPackageJSON(name, import.meta.url);
  if (!manifest) throw new Error(`The package ${name} is not installed.`);
  return manifest;
}

async function entryOf(name: string): Promise<string> {
  const manifest = manifestOf(name);
  const { main = 'index.js' } = JSON.parse(await readFile(manifest, 'utf8')) as { main?: string };
  return pathToFileURL(path.join(path.dirname(manifest), main)).href;
}
