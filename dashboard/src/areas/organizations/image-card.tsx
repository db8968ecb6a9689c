import { useRef } from 'react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { organizationsQuery, useOrganization } from '#areas/organizations/data.ts';
import { Avatar } from '#ui/avatar.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';

/** The picture of the organization: drawn from its id until somebody uploads one. */
export function ImageCard() {
  const organization = useOrganization();
  const input = useRef<HTMLInputElement>(null);
  const refresh = [organizationsQuery.queryKey];
  const upload = useAction({
    run: (file: File) => api.organizations.setImage(organization.id, file),
    refresh,
    done: 'The picture is new',
  });
  const remove = useAction({
    run: () => api.organizations.deleteImage(organization.id),
    refresh,
    done: 'The picture is the drawn one again',
  });
  return (
    <Card title="Picture" description="PNG, JPEG, WebP, GIF or AVIF. Best square.">
      <div className="flex flex-wrap items-center gap-4">
        <Avatar url={organization.imageUrl} size="lg" />
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
          aria-label="Picture"
          className="sr-only"
          tabIndex={-1}
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) upload.mutate(file);
            target.value = '';
          }}
        />
        <div className="flex gap-2">
          <Button busy={upload.isPending} onClick={() => input.current?.click()}>
            Upload
          </Button>
          {!organization.imageUrl.includes('/avatars/') && (
            <Button look="ghost" busy={remove.isPending} onClick={() => remove.mutate()}>
              Remove
            </Button>
          )}
        </div>
      </div>
    </Card>
  );
}
