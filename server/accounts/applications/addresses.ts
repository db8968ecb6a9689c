import type { HostnameRow } from './hostname-store.ts';

export interface AppAddresses {
  /** The domain below which applications have their labels. */
  readonly domain: string;
  /** As clients print it behind `http://` or `https://`: with the port, where that is not the scheme's own. */
  hostname(name: string): string;
  /** As the API shows it. */
  render(row: HostnameRow): {
    id: string;
    hostname: string;
    type: HostnameRow['type'];
    active: boolean;
    deploymentId: string | null;
    branchId: string | null;
    source: HostnameRow['source'];
    createdAt: string;
  };
}

export function appAddresses(settings: {
  appsDomain: string | undefined;
  appsPort: number;
  gatewayPort: number;
}): AppAddresses {
  const domain = settings.appsDomain ?? 'apps.localhost';
  const port = settings.appsPort || settings.gatewayPort;
  const suffix = port === 80 || port === 443 ? '' : `:${port}`;
  const hostname = (name: string) => `${name.includes('.') ? name : `${name}.${domain}`}${suffix}`;
  return {
    domain,
    hostname,
    render: (row) => ({
      id: row.id,
      hostname: hostname(row.name),
      type: row.type,
      active: row.deployment_id !== null,
      deploymentId: row.deployment_id,
      branchId: row.branch_id,
      source: row.source,
      createdAt: new Date(row.created_at).toISOString(),
    }),
  };
}
