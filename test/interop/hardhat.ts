import { hardhat2Packages, runHardhat2 } from './hardhat2.ts'
import { hardhat3Packages, runHardhat3 } from './hardhat3.ts'
import type { Interop } from './interop.ts'

export const hardhat: Interop = {
  name: 'hardhat',
  doc: 'Hardhat 2 and 3 with their sample projects: compile, test, scripts, deployments, helpers for tests.',
  whyNot: async () => (await hardhat2Packages.fetch()) ?? (await hardhat3Packages.fetch()),
  async run({ checks, folder }) {
    await runHardhat2(checks, folder)
    await runHardhat3(checks, folder)
  },
}
