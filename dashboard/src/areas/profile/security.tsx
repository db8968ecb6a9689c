import { AccountHeader } from '#areas/profile/account-header.tsx';
import { GrantsCard } from '#areas/profile/grants-card.tsx';
import { PasskeysCard } from '#areas/profile/passkeys-card.tsx';
import { SessionsCard } from '#areas/profile/sessions-card.tsx';
import { TwoFactorCard } from '#areas/profile/two-factor-card.tsx';

export function Security() {
  return (
    <>
      <AccountHeader
        title="Security"
        description="Sign-in methods, sessions, and apps with access to your account."
      />
      <div className="space-y-6">
        <PasskeysCard />
        <TwoFactorCard />
        <SessionsCard />
        <GrantsCard />
      </div>
    </>
  );
}
