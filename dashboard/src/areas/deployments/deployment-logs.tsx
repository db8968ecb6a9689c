import { getRouteApi } from '@tanstack/react-router';
import { hasArtefact } from '#areas/deployments/deployment-files.tsx';
import { DeploymentFrame } from '#areas/deployments/deployment-frame.tsx';
import { RuntimeLogs } from '#areas/deployments/runtime-logs.tsx';

const route = getRouteApi('/signed-in/o/$slug/apps/$applicationId/deployments/$deploymentId/logs');

export function DeploymentLogs() {
  const { deploymentId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <DeploymentFrame deploymentId={deploymentId}>
      {(deployment) => (
        <RuntimeLogs
          deploymentId={deploymentId}
          isBuilt={hasArtefact(deployment)}
          search={search}
          onChange={(next) => void navigate({ search: (before) => ({ ...before, ...next }), replace: true })}
        />
      )}
    </DeploymentFrame>
  );
}
