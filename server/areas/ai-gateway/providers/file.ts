import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Value } from 'typebox/value';
import { hintOf, makeProvider, type Provider } from './provider.ts';
import { ProvidersFile } from './schema.ts';

/** MAINSTAY_AI_PROVIDERS_FILE: providers of the instance. A file that is wrong stops the start, and says where. */
export async function readProvidersFile(file: string | undefined): Promise<readonly Provider[]> {
  if (file === undefined) return [];
  const fail = (what: string, cause?: unknown) =>
    new Error(`MAINSTAY_AI_PROVIDERS_FILE: ${file} ${what}.`, { cause });
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw fail('cannot be read', cause);
  });
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw fail('is not JSON', cause);
  }
  if (!Value.Check(ProvidersFile, content)) {
    const [first] = Value.Errors(ProvidersFile, content);
    throw fail(`is wrong at ${first?.instancePath || 'the whole'}: ${first?.message}`);
  }
  const now = Date.now();
  return content.providers.map((given) =>
    makeProvider({
      id: idFor(`provider ${given.slug}`),
      organizationId: '',
      slug: given.slug,
      type: given.type,
      name: given.name ?? given.slug,
      baseUrl: given.baseUrl ?? null,
      zdr: given.zdr ?? false,
      priority: given.priority ?? 0,
      enabled: given.enabled ?? true,
      allowPrivate: given.allowPrivate ?? false,
      models: given.models ?? null,
      credentials: (given.credentials ?? []).map((credential, at) => {
        const { apiKeyEnv } = credential;
        // biome-ignore lint/style/noProcessEnv: the operator's file names the variable.
        const apiKey = apiKeyEnv === undefined ? credential.apiKey : process.env[apiKeyEnv];
        if (!apiKey) throw fail(`names no key for "${given.slug}" (${apiKeyEnv ?? 'apiKey'})`);
        return {
          id: idFor(`credential ${given.slug} ${at}`),
          name: credential.name ?? `Key ${at + 1}`,
          apiKey,
          hint: hintOf(apiKey),
          weight: credential.weight ?? 1,
          enabled: credential.enabled ?? true,
        };
      }),
      readOnly: true,
      createdAt: now,
      updatedAt: now,
    }),
  );
}

/** The same on every node and at every start: a UUID made from the name. */
function idFor(name: string): string {
  const hex = createHash('sha256').update(`mainstay ai ${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
