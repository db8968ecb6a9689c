import { PageHeader } from '#ui/page-header.tsx';
import { TabLinks } from '#ui/tabs.tsx';

export function AccountHeader({ title, description }: { title: string; description: string }) {
  return (
    <>
      <PageHeader title={title} description={description} />
      <TabLinks
        label="Your account"
        tabs={[
          { text: 'Profile', link: { to: '/account' } },
          { text: 'Security', link: { to: '/account/security' } },
        ]}
      />
    </>
  );
}
