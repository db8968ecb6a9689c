import { once } from 'node:events';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** An OpenID Connect provider somewhere else, with one person who always agrees. */
export interface OpenIdProvider extends AsyncDisposable {
  issuer: string;
  /** Who signs in there; tests change it. */
  person: { sub: string; email: string; email_verified: boolean; name: string };
  /** Where the browser is sent back to after the person agreed. */
  agree(authorizationUrl: string): URL;
}

export async function startOpenIdProvider(clientId: string): Promise<OpenIdProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  let nonce: string | null = null;
  const server = createServer(async (request, response) => {
    const send = (body: object) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    };
    for await (const _chunk of request);
    const { pathname } = new URL(request.url ?? '/', provider.issuer);
    if (pathname === '/.well-known/openid-configuration')
      return send({
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}/token`,
        userinfo_endpoint: `${provider.issuer}/userinfo`,
        jwks_uri: `${provider.issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      });
    if (pathname === '/keys') return send({ keys: [jwk] });
    if (pathname === '/userinfo') return send(provider.person);
    const id_token = await new SignJWT({ ...provider.person, ...(nonce === null ? {} : { nonce }) })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(provider.issuer)
      .setAudience(clientId)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey);
    send({ access_token: 'opaque', token_type: 'Bearer', expires_in: 300, id_token });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const provider: OpenIdProvider = {
    issuer: `http://127.0.0.1:${port}`,
    person: { sub: 'remote-1', email: 'remote@example.com', email_verified: true, name: 'Remote Person' },
    agree(authorizationUrl) {
      const { searchParams } = new URL(authorizationUrl);
      nonce = searchParams.get('nonce');
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', 'agreed');
      back.searchParams.set('state', searchParams.get('state') ?? '');
      return back;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  return provider;
}
