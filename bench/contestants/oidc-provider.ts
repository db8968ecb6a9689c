import { generateKeyPairSync } from 'node:crypto';
// @ts-expect-error The package has no types.
import { Provider } from 'oidc-provider';

/** The peer: `oidc-provider` with its memory adapter, ES256 at+jwt tokens for a resource. */
const [port, clientId, secret, scope] = process.argv.slice(2) as [string, string, string, string];
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const resource = 'https://api.example.com';

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: clientId,
      client_secret: secret,
      id_token_signed_response_alg: 'ES256',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_basic',
    },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'peer' }] },
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      getResourceServerInfo: () => ({
        scope,
        accessTokenFormat: 'jwt' as const,
        accessTokenTTL: 300,
        jwt: { sign: { alg: 'ES256' as const } },
      }),
    },
  },
});
provider.listen(Number(port), '127.0.0.1');
