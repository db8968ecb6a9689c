import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Every text file of a build in brotli and gzip beside it: the server never compresses while it serves. */
export async function compressBuild(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  await Promise.all(
    names
      .filter((name) => /\.(html|js|css|svg|json)$/.test(name))
      .map(async (name) => {
        const file = path.join(folder, name);
        const content = await readFile(file);
        const params = {
          [constants.BROTLI_PARAM_QUALITY]: 11,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        };
        await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }));
        await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
      }),
  );
}
