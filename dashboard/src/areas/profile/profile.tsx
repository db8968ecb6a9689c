import { AccountHeader } from '#areas/profile/account-header.tsx';
import { DeleteAccountCard } from '#areas/profile/delete-account-card.tsx';
import { EmailCard } from '#areas/profile/email-card.tsx';
import { HistoryCard } from '#areas/profile/history-card.tsx';
import { NameCard } from '#areas/profile/name-card.tsx';
import { PasswordCard } from '#areas/profile/password-card.tsx';
import { OwnPictureCard } from '#areas/profile/picture-card.tsx';

export function Profile() {
  return (
    <>
      <AccountHeader title="Profile" description="Your name, picture and e-mail address." />
      <div className="space-y-6">
        <NameCard />
        <OwnPictureCard />
        <EmailCard />
        <PasswordCard />
        <HistoryCard />
        <DeleteAccountCard />
      </div>
    </>
  );
}
