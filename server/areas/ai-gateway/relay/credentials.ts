import type { Credential, Provider } from '../providers/provider.ts';

/** By chance, in proportion to the weights; null: the provider needs none; undefined: all were used up. */
export function pickCredential(
  { credentials, type }: Provider,
  used: ReadonlySet<string>,
): Credential | null | undefined {
  const enabled = credentials.filter((credential) => credential.enabled);
  if (enabled.length === 0) return type === 'openai-compatible' ? null : undefined;
  const left = enabled.filter(({ id }) => !used.has(id));
  let at = Math.random() * left.reduce((sum, { weight }) => sum + weight, 0);
  for (const credential of left) {
    at -= credential.weight;
    if (at < 0) return credential;
  }
  return left.at(-1);
}
