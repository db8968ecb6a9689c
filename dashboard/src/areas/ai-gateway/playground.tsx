import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { useMemo } from 'react';
import { AiTabs } from '#areas/ai-gateway/ai-tabs.tsx';
import { ChatTrial } from '#areas/ai-gateway/chat-trial.tsx';
import { modelsQuery } from '#areas/ai-gateway/data.ts';
import { ImageTrial } from '#areas/ai-gateway/image-trial.tsx';
import { trials } from '#areas/ai-gateway/search.ts';
import { SpeechTrial } from '#areas/ai-gateway/speech-trial.tsx';
import { useOrganization } from '#areas/organizations/data.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { Pending } from '#ui/pending.tsx';
import { Select } from '#ui/select.tsx';

const route = getRouteApi('/signed-in/o/$slug/ai/playground');

/** A request to a model by the rights of the person, and the same as code. */
export function Playground() {
  const { id } = useOrganization();
  const { kind = 'chat' } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(modelsQuery(id));
  const { data } = query;
  const models = useMemo(
    () =>
      data?.filter(({ capabilities, modalities }) => {
        if (kind === 'chat') return capabilities.chat;
        return modalities.output.includes(kind === 'images' ? 'image' : 'audio');
      }),
    [data, kind],
  );
  return (
    <>
      <PageHeader
        title="AI playground"
        description="Try chat, image and speech models. Requests count toward budgets and follow policies."
      />
      <AiTabs />
      <Select
        label="Kind"
        className="mb-4 max-w-48"
        value={kind}
        onChange={(next) => void navigate({ search: next === 'chat' ? {} : { kind: next }, replace: true })}
        options={trials}
      />
      <Pending query={query} className="h-96" />
      {kind === 'chat' && models?.length === 0 && (
        <EmptyState icon={<MessagesSquare />} title="No models available">
          Add a provider with your own key, or ask your operator to set one up for all organizations.
        </EmptyState>
      )}
      {kind === 'chat' && models && models.length > 0 && <ChatTrial organizationId={id} models={models} />}
      {kind === 'images' && models && <ImageTrial organizationId={id} models={models} />}
      {kind === 'speech' && models && <SpeechTrial organizationId={id} models={models} />}
    </>
  );
}
