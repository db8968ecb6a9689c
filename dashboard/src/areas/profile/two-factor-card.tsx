import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { idp } from '#api/idp.ts';
import { sessionQuery, usePerson } from '#api/session.ts';
import { PasswordDialog } from '#areas/profile/password-dialog.tsx';
import { RecoveryCodesDialog } from '#areas/profile/recovery-codes-dialog.tsx';
import { TotpSetupDialog } from '#areas/profile/totp-setup-dialog.tsx';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { toast } from '#ui/toast.ts';

type Step = 'enable' | 'disable' | 'renew';

export function TwoFactorCard() {
  const { twoFactorEnabled } = usePerson();
  const client = useQueryClient();
  const [step, setStep] = useState<Step>();
  const [setup, setSetup] = useState<{ totpURI: string; backupCodes: string[] }>();
  const [codes, setCodes] = useState<string[]>();
  const close = () => setStep(undefined);
  return (
    <Card
      title="Authenticator app"
      description="Requires a six-digit code from an app in addition to your password."
      actions={twoFactorEnabled ? <Badge tone="success">On</Badge> : <Badge>Off</Badge>}
    >
      {twoFactorEnabled ? (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setStep('renew')}>New recovery codes</Button>
          <Button look="ghost" onClick={() => setStep('disable')}>
            Turn off
          </Button>
        </div>
      ) : (
        <Button onClick={() => setStep('enable')}>Turn on</Button>
      )}
      <PasswordDialog
        open={step === 'enable'}
        onClose={close}
        title="Turn on the authenticator app"
        description="You need an authenticator app on your phone, or a password manager."
        action="Go on"
        onConfirm={async (body) => {
          setSetup(await idp('post', '/idp/two-factor/enable', { body }));
          close();
        }}
      />
      <PasswordDialog
        open={step === 'disable'}
        onClose={close}
        title="Turn off the authenticator app?"
        description="You will sign in with your password only. Your recovery codes stop working too."
        action="Turn off"
        onConfirm={async (body) => {
          await idp('post', '/idp/two-factor/disable', { body });
          await client.invalidateQueries(sessionQuery);
          close();
          toast.done('Authenticator app turned off');
        }}
      />
      <PasswordDialog
        open={step === 'renew'}
        onClose={close}
        title="New recovery codes"
        description="The old ones stop working immediately."
        action="Create new codes"
        onConfirm={async (body) => {
          const { backupCodes } = await idp('post', '/idp/two-factor/generate-backup-codes', { body });
          setCodes(backupCodes);
          close();
        }}
      />
      {setup && (
        <TotpSetupDialog
          uri={setup.totpURI}
          onClose={() => setSetup(undefined)}
          onDone={() => {
            setCodes(setup.backupCodes);
            setSetup(undefined);
          }}
        />
      )}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </Card>
  );
}
