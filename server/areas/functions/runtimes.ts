/**
 * The installed runtime that runs what was written for `wanted`: itself, for Node else the nearest newer one. Null where
 * there is none. `node` stands in manifests of before.
 */
export function chooseRuntime(wanted: string, installed: readonly string[]): string | null {
  if (installed.includes(wanted)) return wanted;
  const version = /^node(?:-(\d+))?$/.exec(wanted);
  if (!version) return null;
  const newer = installed
    .filter((name) => name.startsWith('node-'))
    .sort((a, b) => versionOf(a) - versionOf(b))
    .filter((name) => versionOf(name) > Number(version[1] ?? 0));
  return (version[1] === undefined ? newer.at(-1) : newer[0]) ?? null;
}

function versionOf(name: string): number {
  return Number(name.split('-')[1]);
}
