import { testContracts } from './contractPermissioning.ts'
import { testFiles } from './filePermissioning.ts'
import type { Interop } from './interop.ts'

export const permissioning: Interop = {
  name: 'permissioning',
  doc: 'Besu and Quoin in one permissioned network keep a third node and a foreign account out.',
  needs: ['besu'],
  async run(terms) {
    await testFiles(terms)
    await testContracts(terms, 1)
    await testContracts(terms, 2)
  },
}
