/** The addresses of the sealed look-up below a service's base address. */
export function sealedAddresses(base: string) {
  const root = `${base}/sealed`;
  const file = (name: string) => (epoch: number, sequence: number) => `${root}/${epoch}/${sequence}/${name}`;
  return {
    manifest: `${root}/manifest`,
    evaluate: `${root}/evaluate`,
    report: `${root}/report`,
    snapshot: file('snapshot'),
    reporters: file('reporters'),
    delta: (epoch: number, from: number, to: number) => `${root}/${epoch}/delta/${from}-${to}`,
  };
}

export type SealedAddresses = ReturnType<typeof sealedAddresses>;
