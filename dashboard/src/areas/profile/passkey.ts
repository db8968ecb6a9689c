import type { Passkey } from '@mainstay/sdk';
import { sentenceOf } from '#api/errors.ts';
import { idp } from '#api/idp.ts';

/** Asks the browser for a new passkey and hands it to the server (WebAuthn Level 3, section 5.1). */
export async function addPasskey(): Promise<Passkey> {
  const options = await idp('get', '/idp/passkey/generate-register-options');
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  return idp('post', '/idp/passkey/verify-registration', {
    body: { response: credential.toJSON() as never },
  });
}

/** What the browser itself refuses has names, not sentences. */
export function passkeyProblem(error: Error): string {
  if (error.name === 'NotAllowedError') return 'No passkey was created. Try again.';
  if (error.name === 'InvalidStateError') return 'This device already has a passkey for your account.';
  if (error.name === 'SecurityError')
    return 'Passkeys work only at the public URL that this instance is configured with.';
  return sentenceOf(error);
}
