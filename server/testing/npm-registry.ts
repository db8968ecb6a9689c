import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface NpmRegistry extends AsyncDisposable {
  port: number;
  /** Names of packages that were downloaded, in order. */
  downloads: string[];
}

/** A registry of packages with one version each, on every address of this machine. `files`: besides package.json. */
export async function startNpmRegistry(
  packages: Readonly<Record<string, Readonly<Record<string, string | Buffer>>>>,
): Promise<NpmRegistry> {
  const version = '1.0.0';
  const archives = new Map(
    Object.entries(packages).map(([name, files]) => [
      name,
      packed({ name, version, main: 'index.js' }, files),
    ]),
  );
  const downloads: string[] = [];
  const server = createServer((request, response) => {
    const [, name = '', ...rest] = (request.url ?? '').split('/');
    const archive = archives.get(name);
    if (!archive) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    } else if (rest.length > 0) {
      downloads.push(name);
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(archive);
    } else {
      const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
      const tarball = `http://${request.headers.host}/${name}/-/${name}-${version}.tgz`;
      const found = { name, version, main: 'index.js', dist: { tarball, integrity } };
      const body = { name, 'dist-tags': { latest: version }, versions: { [version]: found } };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
  const { port } = server.address() as { port: number };
  return {
    ...{ port, downloads },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function packed(manifest: object, files: Readonly<Record<string, string | Buffer>>): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'mainstay-package-'));
  try {
    mkdirSync(path.join(folder, 'package'));
    for (const [name, content] of Object.entries({ 'package.json': JSON.stringify(manifest), ...files }))
      writeFileSync(path.join(folder, 'package', name), content);
    return execFileSync('tar', ['-C', folder, '-czf', '-', 'package'], { maxBuffer: 64 * 1024 ** 2 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
