import { readdir, readFile } from 'node:fs/promises';

/** Ids of the processes of this machine whose command line (arguments that end with NUL) has the text. Linux alone. */
export async function processesWith(text: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    ids.map(async (id) => [id, await readFile(`/proc/${id}/cmdline`, 'latin1').catch(() => '')] as const),
  );
  return lines.filter(([, line]) => line.includes(text)).map(([id]) => id);
}
