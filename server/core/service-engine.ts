export const serviceKinds = ['postgres', 'redis'] as const;
export type ServiceKind = (typeof serviceKinds)[number];

/** Where a service listens. */
export interface ServiceAddress {
  host: string;
  port: number;
  /** Whether it speaks TLS from the first byte. */
  tls: boolean;
}

/** The engine cannot be used for what it was asked; the message is for the owner of a deployment. */
export class ServiceRefused extends Error {
  override name = 'ServiceRefused';
}

/**
 * An engine of the operator's, of which environments of applications get parts: a database with a role, or the keys of a
 * prefix with a user. Names are of lower-case letters, digits and `_`.
 */
export interface ServiceEngine extends AsyncDisposable {
  readonly kind: ServiceKind;
  readonly address: ServiceAddress;
  /**
   * Makes the part of that name where it is missing, and lets in whoever has the password. Throws `ServiceRefused` where the
   * engine would let in anybody.
   */
  ensure(name: string, password: string): Promise<void>;
  /** Removes the part with all that is in it. What is not there is passed over. */
  drop(name: string): Promise<void>;
}
