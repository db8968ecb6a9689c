import { Fingerprint, LogIn } from 'lucide-react';
import { useAction } from '#api/action.ts';
import { sentenceOf } from '#api/errors.ts';
import { idp } from '#api/idp.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';

interface OtherWaysProps {
  next: string | undefined;
  provider: { name: string } | null;
  onDone: () => Promise<void>;
}

/** Ways in without a password: a passkey, the outside provider. */
export function OtherWays({ next = '/', provider, onDone }: OtherWaysProps) {
  const passkey = useAction({
    run: async () => {
      await signInWithPasskey();
      await onDone();
    },
    quiet: true,
  });
  const outside = useAction({
    run: async () => {
      const body = { callbackURL: next, errorCallbackURL: '/sign-in' };
      const { url } = await idp('post', '/idp/sign-in/provider', { body });
      location.assign(url);
    },
    quiet: true,
  });
  const problem = passkey.error ?? outside.error;
  return (
    <div className="mt-5 space-y-2 border-t pt-5">
      <Button size="lg" className="w-full" busy={passkey.isPending} onClick={() => passkey.mutate()}>
        <Fingerprint aria-hidden />
        Sign in with a passkey
      </Button>
      {provider && (
        <Button size="lg" className="w-full" busy={outside.isPending} onClick={() => outside.mutate()}>
          <LogIn aria-hidden />
          Sign in with {provider.name}
        </Button>
      )}
      {problem && <ErrorNotice error={problem} sentence={passkeyProblem(problem)} />}
    </div>
  );
}

async function signInWithPasskey(): Promise<void> {
  const options = await idp('get', '/idp/passkey/generate-authenticate-options');
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  await idp('post', '/idp/passkey/verify-authentication', {
    body: { response: credential.toJSON() as never },
  });
}

/** What the browser itself refuses has names, not sentences. */
function passkeyProblem(error: Error): string {
  if (error.name === 'NotAllowedError') return 'No passkey was used. Try again, or use your password.';
  if (error.name === 'SecurityError')
    return 'Passkeys work only at the public URL that this instance is configured with.';
  return sentenceOf(error);
}
