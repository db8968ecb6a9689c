import type { EnvVar } from '@mainstay/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Ellipsis, History, LockKeyhole, PenLine, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { useChange, variablesPath, variablesQuery } from '#areas/variables/data.ts';
import { IconButton } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';
import { Menu, MenuItem, MenuSeparator } from '#ui/menu.tsx';
import { toast } from '#ui/toast.ts';
import { ViewAsCode } from '#ui/view-as-code.tsx';

const route = getRouteApi('/signed-in/o/$slug/variables');

export function VariableMenu({ variable, canChange }: { variable: EnvVar; canChange: boolean }) {
  const [open, setOpen] = useState<'rename' | 'hide' | 'delete'>();
  const navigate = route.useNavigate();
  const close = () => setOpen(undefined);
  return (
    <>
      <Menu
        trigger={
          <IconButton size="sm" label={`Actions for ${variable.key}`} icon={<Ellipsis aria-hidden />} />
        }
      >
        <MenuItem
          icon={<History aria-hidden />}
          onSelect={() => void navigate({ search: (search) => ({ ...search, history: variable.id }) })}
        >
          History
        </MenuItem>
        {canChange && (
          <>
            <MenuItem icon={<PenLine aria-hidden />} onSelect={() => setOpen('rename')}>
              Rename
            </MenuItem>
            {!variable.sensitive && (
              <MenuItem icon={<LockKeyhole aria-hidden />} onSelect={() => setOpen('hide')}>
                Make sensitive
              </MenuItem>
            )}
            <MenuSeparator />
            <MenuItem danger icon={<Trash2 aria-hidden />} onSelect={() => setOpen('delete')}>
              Delete
            </MenuItem>
          </>
        )}
      </Menu>
      {open === 'rename' && <RenameDialog variable={variable} onClose={close} />}
      <HideDialog variable={variable} open={open === 'hide'} onClose={close} />
      <DeleteDialog variable={variable} open={open === 'delete'} onClose={close} />
    </>
  );
}

interface OneProps {
  variable: EnvVar;
  onClose: () => void;
}

function RenameDialog({ variable, onClose }: OneProps) {
  const organization = useOrganization();
  const { mutateAsync } = useChange();
  const path = `${variablesPath(organization.id)}/${variable.id}`;
  const form = useAppForm({
    defaultValues: { key: variable.key },
    validators: {
      onSubmitAsync: sending(async (change: { key: string }) => {
        await mutateAsync({ variable, change });
        onClose();
      }),
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Rename ${variable.key}`}
      description="References in other values keep the old name. Update them too."
    >
      <Form form={form}>
        <form.AppField name="key">
          {(field) => <field.TextField label="Key" mono autoFocus required />}
        </form.AppField>
        <form.AppForm>
          <form.FormError />
          <DialogActions
            aside={
              <form.Subscribe selector={(state) => state.values}>
                {(body) => <ViewAsCode call={{ method: 'PATCH', path, body }} />}
              </form.Subscribe>
            }
          >
            <form.SubmitButton>Rename</form.SubmitButton>
          </DialogActions>
        </form.AppForm>
      </Form>
    </Dialog>
  );
}

function HideDialog({ variable, open, onClose }: OneProps & { open: boolean }) {
  const organization = useOrganization();
  const client = useQueryClient();
  const body = { sensitive: true };
  const hide = async () => {
    await api.envVars.update(organization.id, variable.id, body);
    await client.invalidateQueries(variablesQuery(organization.id));
    toast.done(`${variable.key} is now sensitive`);
  };
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Make ${variable.key} sensitive?`}
      action="Make sensitive"
      onConfirm={hide}
      call={{ method: 'PATCH', path: `${variablesPath(organization.id)}/${variable.id}`, body }}
    >
      Its value and earlier ones are never shown again, here or by the API. To show it again, set a new value.
    </ConfirmDialog>
  );
}

function DeleteDialog({ variable, open, onClose }: OneProps & { open: boolean }) {
  const organization = useOrganization();
  const client = useQueryClient();
  const remove = async () => {
    await api.envVars.delete(organization.id, variable.id);
    await client.invalidateQueries(variablesQuery(organization.id));
    toast.done(`${variable.key} deleted`);
  };
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Delete ${variable.key}?`}
      action="Delete variable"
      onConfirm={remove}
      call={{ method: 'DELETE', path: `${variablesPath(organization.id)}/${variable.id}` }}
    >
      Its history is deleted too. This cannot be undone. Applications lose it on their next start.
    </ConfirmDialog>
  );
}
