/** Names that the platform sets in every workload; a project cannot. */
export function reservedVariable(name: string): boolean {
  return (
    ['PATH', 'HOME', 'PORT', 'HOST', 'NODE_OPTIONS'].includes(name) ||
    ['LD_', 'MAINSTAY_', 'GIGADRIVE_'].some((prefix) => name.startsWith(prefix))
  );
}
