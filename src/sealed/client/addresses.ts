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
    delta: file('delta'),
  };
}

export type SealedAddresses = ReturnType<typeof sealedAddresses>;
