/** The header in which better-auth is told the address of the client; the client's own is thrown away. */
export const addressHeader = 'x-mainstay-address';
/** What better-auth calls the one outside provider that the settings may name. */
export const outsideProviderId = 'oidc';
