import { readFile, writeFile } from 'node:fs/promises';
import { actions } from '../server/accounts/audit-log/actions.ts';
import { ProductsFile } from '../server/accounts/products/registry.ts';
import type { SettingGroup } from '../server/core/settings.ts';
import { settingGroups } from '../server/platform/config.ts';

/**
 * `npm run docs`: writes docs/settings.md, the table of docs/audit-log.md and docs/products.schema.json from what the server
 * itself reads.
 */

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
  const sections = [...settingGroups].map(([title, group]) => `\n## ${title}\n\n${table(group)}\n`);
  return `${intro}${sections.join('')}`;
}

const actionsHeading = '\n## Actions\n';

/** The page with the table of actions at its end; what stands before it is written by hand. */
export function auditLogPage(page: string): string {
  const [prose = ''] = page.split(actionsHeading, 1);
  const rows = Object.entries(actions).map(([action, sentence]) => `| \`${action}\` | ${sentence} |`);
  return `${prose}${actionsHeading}\n${['| action | what happened |', '| --- | --- |', ...rows].join('\n')}\n`;
}

export const settingsFile = new URL('../docs/settings.md', import.meta.url);
export const auditLogFile = new URL('../docs/audit-log.md', import.meta.url);
export const productsSchemaFile = new URL('../docs/products.schema.json', import.meta.url);

/** The JSON Schema of the operator's products file, for editors and for checking it. */
export function productsSchema(): string {
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...ProductsFile };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

if (import.meta.main) {
  await writeFile(settingsFile, settingsPage());
  await writeFile(auditLogFile, auditLogPage(await readFile(auditLogFile, 'utf8')));
  await writeFile(productsSchemaFile, productsSchema());
  console.log(`${(await readFile(settingsFile)).length} bytes`);
}
