/** Gas for all calls of a simulation: that of geth, which shows in the hashes of simulated transactions. */
export const simulationGas = 50_000_000n

/** Gas that the calls of one request share. */
interface GasAllowance {
  /** As much of it as is left. */
  within(wanted: bigint): bigint
  spend(gasUsed: bigint): void
}

export function createGasAllowance(max: bigint): GasAllowance {
  let left = max
  return {
    within: (wanted) => (wanted < left ? wanted : left),
    spend(gasUsed) {
      left -= gasUsed
    },
  }
}
