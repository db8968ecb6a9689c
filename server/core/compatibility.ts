/**
 * Names that existing public clients of this API send and read, beside ours. This table is the only place of the code
 * that holds them, beside config/compatibility.ts for names of files; docs/compatibility.md is the only page.
 */
const headerAliases = {
  'x-mainstay-application-id': 'x-gigadrive-application-id',
  'x-mainstay-organization-id': 'x-gigadrive-organization-id',
  'x-mainstay-end-user-id': 'x-gigadrive-end-user-id',
  'x-mainstay-request-id': 'x-gigadrive-request-id',
  'x-mainstay-cost-micros': 'x-gigadrive-cost-micros',
  'x-mainstay-image-source': 'x-gigadrive-image-source',
  'x-mainstay-deployment-id': 'x-gigadrive-deployment-id',
  'x-mainstay-build-id': 'x-gigadrive-build-id',
} as const;
export type OwnHeader = keyof typeof headerAliases;

/** The value of one of our request headers, under either name; undefined when absent, or sent more than once. */
export function requestHeader(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  name: OwnHeader,
): string | undefined {
  const value = headers[name] ?? headers[headerAliases[name]];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** One of our response headers, under both names. */
export function responseHeader(name: OwnHeader, value: string): Record<string, string> {
  return { [name]: value, [headerAliases[name]]: value };
}

/** Prefixes of environment variables of workloads: ours first. */
const variablePrefixes = ['MAINSTAY_', 'GIGADRIVE_'] as const;

/** `{ API_URL }` as `MAINSTAY_API_URL`, and as existing clients read it. */
export function workloadVariables(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    variablePrefixes.flatMap((prefix) =>
      Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value]),
    ),
  );
}

/** Whether the platform alone sets variables of such a name. */
export function isPlatformVariable(name: string): boolean {
  return variablePrefixes.some((prefix) => name.startsWith(prefix));
}

/** Where the images of an application are asked for, on its own hostnames; existing clients are led to the second. */
export const imagePaths = { own: '/_mainstay/image/', existing: '/_gigadrive/image/' } as const;
