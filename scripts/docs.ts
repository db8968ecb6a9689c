import { readFile, writeFile } from 'node:fs/promises';
import { settingGroups } from '../server/config.ts';
import type { SettingGroup } from '../server/core/settings.ts';

/** `npm run docs`: writes the tables of docs/settings.md from the settings themselves. */

const intro = `# Settings

Mainstay reads its settings once, at the start, from environment variables. A wrong one stops the start and is named,
with what was expected. An empty variable counts as absent. Lengths of time may be written \`90s\`, \`15m\`, \`12h\` or
\`30d\`, sizes \`512B\`, \`64KiB\`, \`10MiB\` or \`2GiB\`.

This page is written by \`npm run docs\` from the same table that the server reads.
`;

function table(group: SettingGroup): string {
  const rows = Object.values(group).map(({ name, meaning, expected, shown }) => {
    return `| \`${name}\` | ${meaning} | ${expected} | ${shown ? `\`${shown}\`` : ''} |`;
  });
  return ['| setting | meaning | value | default |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

export function settingsPage(): string {
  const sections = Object.entries(settingGroups).map(
    ([title, group]) => `\n## ${title}\n\n${table(group)}\n`,
  );
  return `${intro}${sections.join('')}`;
}

export const settingsFile = new URL('../docs/settings.md', import.meta.url);

if (import.meta.main) {
  await writeFile(settingsFile, settingsPage());
  console.log(`${(await readFile(settingsFile)).length} bytes`);
}
