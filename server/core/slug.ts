import { randomBytes } from 'node:crypto';
import { toAscii } from '#core/ascii.ts';

const maxLength = 48;

/** A URL-safe name: letters of any script transliterated to ASCII, everything else a hyphen. `fallback` where nothing is left. */
export function slugify(name: string, fallback: string): string {
  const slug = toAscii(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength)
    .replace(/^-+|-+$/g, '');
  return slug || fallback;
}

/** The slug itself, or with a small number behind it, or with random letters where many have the same name. */
export async function freeSlug(slug: string, isTaken: (slug: string) => Promise<boolean>): Promise<string> {
  if (!(await isTaken(slug))) return slug;
  for (let number = 2; number < 6; number++) {
    const numbered = `${slug}-${number}`;
    if (!(await isTaken(numbered))) return numbered;
  }
  return `${slug}-${randomBytes(4).toString('hex')}`;
}
